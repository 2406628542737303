"""What people see: the card, its panels and the native form. Nothing here knows of connections."""
