/** Guards for what comes from outside: the kernel, and apps that may send anything. */

import type { FieldMark, Focus, Show, Start, Stop, ToBrowser } from "./messages";

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isListOf<T>(value: unknown, guard: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every(guard);
}

function isFieldMark(value: unknown): value is FieldMark {
  return (
    isObject(value) && isText(value.css) && typeof value.required === "boolean" && typeof value.invalid === "boolean"
  );
}

function isShow(value: JsonObject): boolean {
  const texts = [value.server, value.tool, value.message, value.note, value.progress, value.reach];
  return (
    ["working", "app", "form", "sent", "withdrawn"].includes(String(value.state)) &&
    texts.every(isText) &&
    isListOf(value.fields, isFieldMark) &&
    isListOf(value.shield, isText)
  );
}

function isStart(value: JsonObject): boolean {
  const texts = [value.view, value.outerPolicy, value.innerPolicy, value.hostVersion, value.title];
  return texts.every(isText) && Number.isFinite(value.instance) && Number.isFinite(value.handshakeSeconds);
}

/** The message if it is one of the contract, else null: a kernel of another version may send what we do not know. */
export function parseToBrowser(value: unknown): ToBrowser | null {
  if (!isObject(value)) return null;
  switch (value.kind) {
    case "show":
      return isShow(value) ? (value as unknown as Show) : null;
    case "start":
      return isStart(value) ? (value as unknown as Start) : null;
    case "stop":
      return isText(value.reason) ? (value as unknown as Stop) : null;
    case "focus":
      return isText(value.css) ? (value as unknown as Focus) : null;
    default:
      return null;
  }
}
