/** What the app learns of its surroundings: JupyterLab's theme in the words of MCP Apps. */

import type { McpUiHostContext, McpUiStyleVariableKey } from "@modelcontextprotocol/ext-apps";
import type { JsonObject } from "./guards";
import { MAX_HEIGHT } from "./height";

type Variable = [jupyter: string, light: string, dark: string];

// Only keys of the standard: an App of the SDK refuses the whole handshake for one that it does not know (BRG-04).
const VARIABLES: Partial<Record<McpUiStyleVariableKey, Variable>> = {
  "--color-background-primary": ["--jp-layout-color1", "#ffffff", "#111111"],
  "--color-background-secondary": ["--jp-layout-color2", "#eeeeee", "#303030"],
  "--color-background-tertiary": ["--jp-layout-color3", "#bdbdbd", "#424242"],
  "--color-background-inverse": ["--jp-inverse-layout-color1", "#212121", "#ffffff"],
  "--color-background-info": ["--jp-info-color3", "#b2ebf2", "#006064"],
  "--color-background-danger": ["--jp-error-color3", "#ffcdd2", "#b71c1c"],
  "--color-background-success": ["--jp-success-color3", "#c8e6c9", "#1b5e20"],
  "--color-background-warning": ["--jp-warn-color3", "#ffe0b2", "#e65100"],
  "--color-text-primary": ["--jp-ui-font-color1", "#212121", "#ffffff"],
  "--color-text-secondary": ["--jp-ui-font-color2", "#757575", "#bdbdbd"],
  "--color-text-tertiary": ["--jp-ui-font-color3", "#9e9e9e", "#757575"],
  "--color-text-inverse": ["--jp-ui-inverse-font-color1", "#ffffff", "#212121"],
  "--color-text-info": ["--jp-info-color0", "#006064", "#80deea"],
  "--color-text-danger": ["--jp-error-color0", "#b71c1c", "#ef9a9a"],
  "--color-text-success": ["--jp-success-color0", "#1b5e20", "#a5d6a7"],
  "--color-text-warning": ["--jp-warn-color0", "#e65100", "#ffcc80"],
  "--color-border-primary": ["--jp-border-color1", "#bdbdbd", "#616161"],
  "--color-border-secondary": ["--jp-border-color2", "#e0e0e0", "#424242"],
  "--color-border-tertiary": ["--jp-border-color3", "#eeeeee", "#212121"],
  "--color-border-danger": ["--jp-error-color1", "#d32f2f", "#f44336"],
  "--color-ring-primary": ["--jp-brand-color1", "#1976d2", "#2196f3"],
  "--color-ring-danger": ["--jp-error-color1", "#d32f2f", "#f44336"],
  "--font-sans": ["--jp-ui-font-family", "system-ui, sans-serif", "system-ui, sans-serif"],
  "--font-mono": ["--jp-code-font-family", "monospace", "monospace"],
  "--font-text-sm-size": ["--jp-ui-font-size1", "13px", "13px"],
  "--font-text-md-size": ["--jp-content-font-size1", "14px", "14px"],
  "--border-radius-sm": ["--jp-border-radius", "2px", "2px"],
};

/** The context for an app in this frame; `extra` comes from the kernel, and what we know ourselves wins. */
export function hostContext(frame: HTMLElement, extra: JsonObject): JsonObject {
  const theme = isLight() ? "light" : "dark";
  const context: McpUiHostContext = {
    ...extra,
    theme,
    styles: { variables: styleVariables(frame, theme) as Record<McpUiStyleVariableKey, string | undefined> },
    displayMode: "inline",
    availableDisplayModes: ["inline"],
    containerDimensions: { ...widthOf(frame), maxHeight: MAX_HEIGHT },
    locale: (document.documentElement.lang || navigator.language).replaceAll("_", "-"),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    platform: "web",
  };
  return context;
}

/** Call `onChange` with the members that changed since `known`, until the signal aborts. */
export function watchContext(
  frame: HTMLElement,
  read: () => JsonObject,
  onChange: (changes: JsonObject) => void,
  signal: AbortSignal,
): void {
  let known = read();
  const look = (): void => {
    const next = read();
    const changes = Object.entries(next).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(known[key]));
    known = next;
    if (changes.length > 0) onChange(Object.fromEntries(changes));
  };
  const themes = new MutationObserver(look);
  themes.observe(document.body, { attributeFilter: ["data-jp-theme-light", "data-jp-theme-name"] });
  const sizes = new ResizeObserver(look);
  sizes.observe(frame);
  colorScheme().addEventListener("change", look, { signal });
  signal.addEventListener("abort", () => {
    themes.disconnect();
    sizes.disconnect();
  });
}

function colorScheme(): MediaQueryList {
  return window.matchMedia("(prefers-color-scheme: dark)");
}

function isLight(): boolean {
  const { jpThemeLight } = document.body.dataset;
  return jpThemeLight === undefined ? !colorScheme().matches : jpThemeLight !== "false";
}

/** A frame that is not laid out has no width to tell. */
function widthOf(frame: HTMLElement): { width?: number } {
  return frame.clientWidth > 0 ? { width: frame.clientWidth } : {};
}

function styleVariables(element: HTMLElement, theme: "light" | "dark"): Record<string, string> {
  const style = getComputedStyle(element);
  const entries = Object.entries(VARIABLES).map(([key, [jupyter, light, dark]]) => {
    const value = style.getPropertyValue(jupyter).trim();
    return [key, value || (theme === "light" ? light : dark)];
  });
  return Object.fromEntries(entries);
}
