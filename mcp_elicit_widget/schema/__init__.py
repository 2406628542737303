"""From a schema to a form, and from an answer to a verdict. Pure Python: no widget, no kernel, no network."""

from .drafts import Collected, Draft, collect, drafts_from, initial
from .faults import FieldError
from .plan import UNSET, Field, FormPlan, Kind, form_plan
from .shape import Option
from .validate import extras, normalise, validate

__all__ = [
    "UNSET",
    "Collected",
    "Draft",
    "Field",
    "FieldError",
    "FormPlan",
    "Kind",
    "Option",
    "collect",
    "drafts_from",
    "extras",
    "form_plan",
    "initial",
    "normalise",
    "validate",
]
