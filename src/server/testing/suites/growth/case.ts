import type { z } from 'zod'

import { hostileFiles } from '../hostile/hostile-files'
import type { Task } from './measure'
import { fillSchema } from './schema-inputs'
import { TEXTS } from './texts'

/** The reason why an export is not measured. */
export interface Exemption {
  exempt: string
}

export type GrowthCase = Task | Exemption

/** In `npm test`: quadratic work is slow enough to be measured, linear work is not measured. */
const LARGEST_IN_SHORT = process.env.SHORT ? 16 * 1024 : Infinity
/** Large enough for super-linear work to be slow: comparing all pairs would take minutes. */
const LARGEST_TEXT = Math.min(256 * 1024, LARGEST_IN_SHORT)
const LARGEST_FILE = Math.min(1024 * 1024, LARGEST_IN_SHORT)
/** The maximum size of a request body. */
const LARGEST_BODY = Math.min(256 * 1024, LARGEST_IN_SHORT)
/** The approximate size of an item in a body. */
const ITEM_BYTES = 64

export const exempt = (reason: string): Exemption => ({ exempt: reason })

/** A case for a function of one text. */
export function text(run: (whole: string) => unknown): Task {
  return { run: run as Task['run'], inputs: TEXTS, largest: LARGEST_TEXT }
}

/** A case for a function of the parts of a text: cells, lines, names. */
export function texts(run: (parts: string[]) => unknown): Task {
  const inputs = Object.entries(TEXTS).map(
    ([name, make]) => [name, (size: number) => make(size).split(/[,\n|>]/)] as const,
  )
  return { run: run as Task['run'], inputs: Object.fromEntries(inputs), largest: LARGEST_TEXT }
}

/** A case for a function of a file's bytes. */
export function file(run: (bytes: Buffer) => unknown): Task {
  const inputs = Object.fromEntries(hostileFiles.map(({ name, bytes }) => [name, bytes]))
  return { run: run as Task['run'], inputs, largest: LARGEST_FILE }
}

/** A case for a schema, with values of its shape: long texts, long lists, lists of bad items. */
export function schema(subject: z.ZodType): Task {
  const long = Object.entries(TEXTS).map(
    ([name, make]) =>
      [name, (size: number) => fillSchema(subject, { text: make(size), items: 1 })] as const,
  )
  const inputs = {
    ...Object.fromEntries(long),
    'many items': (size: number) => fillLists(subject, 'x', size),
    'many bad items': (size: number) => fillLists(subject, '', size),
  }
  const run = (values: unknown) =>
    (values as unknown[]).map((value) => subject.safeParse(value).success)
  return { run, inputs, largest: LARGEST_BODY }
}

function fillLists(subject: z.ZodType, item: string, size: number): unknown[] {
  return fillSchema(subject, { text: item, items: Math.ceil(size / ITEM_BYTES) }).slice(0, 1)
}
