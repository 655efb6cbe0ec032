import { z } from 'zod'

/**
 * The arguments of `max` for a text: a longer one is looked at no further. Else zod would run the
 * checks behind it all the same, on as much text as somebody cares to send.
 */
export function upTo(label: string, length: number) {
  const error = `${label} must be at most ${length} characters`
  return [length, { error, abort: true }] as const
}

/** A list whose length is checked before its items are: each bad one would make an error. */
export function boundedList<Item extends z.ZodType>(
  item: Item,
  { error, max, tooMany }: { error: string; max: number; tooMany: string },
) {
  return z.array(z.custom<z.input<Item>>(), { error }).max(max, tooMany).pipe(z.array(item))
}
