import type { Focus } from "../../../features/photos/index.ts";
import { invalid } from "../../kit/refusals.ts";

const NUMBER = String.raw`([+-]?(?:\d{1,3}(?:\.\d{0,20})?|\.\d{1,20}))`;
const POINT = new RegExp(`^${NUMBER} ?, ?${NUMBER}$`);

/** Reads a focal point, `x,y`. @throws {Refusal} unless both are from -1 to 1 */
export function readFocus(text: string): Focus {
  const [, x, y] = POINT.exec(text.trim()) ?? [];
  const focus: Focus = [Number(x), Number(y)];
  if (!focus.every((part) => part >= -1 && part <= 1))
    throw invalid("Focus must be two numbers from -1 to 1");
  return focus;
}
