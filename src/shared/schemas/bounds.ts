import { z } from 'zod'

/**
 * The arguments of `max` for a text; a longer text fails without further checks. By default zod
 * would still run all later checks, on a text of any length.
 */
export function upTo(label: string, length: number) {
  const error = `${label} must be at most ${length} characters`
  return [length, { error, abort: true }] as const
}

/** A list whose length is checked before its items, each of which could add an error. */
export function boundedList<Item extends z.ZodType>(
  item: Item,
  { error, max, tooMany }: { error: string; max: number; tooMany: string },
) {
  return z.array(z.custom<z.input<Item>>(), { error }).max(max, tooMany).pipe(z.array(item))
}
