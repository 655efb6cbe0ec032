import type { z } from 'zod'

import { hostileFeeds } from '../hostile/hostile-feeds'
import type { Task } from './measure'
import { fillSchema } from './schema-inputs'
import { TEXTS } from './texts'

/** Why an export needs no inputs. */
export interface Exemption {
  exempt: string
}

export type GrowthCase = Task | Exemption

/** What is not linear takes long for this much: comparing every two characters, for minutes. */
const LARGEST_TEXT = 256 * 1024
const LARGEST_FILE = 1024 * 1024
/** The largest body that is taken. */
const LARGEST_BODY = 256 * 1024
/** What an item takes in a body, about. */
const ITEM_BYTES = 64

export const exempt = (reason: string): Exemption => ({ exempt: reason })

/** For what is given a text by somebody. */
export function text(run: (whole: string) => unknown): Task {
  return { run: run as Task['run'], inputs: TEXTS, largest: LARGEST_TEXT }
}

/** For what is given the parts of a text: cells, lines, names. */
export function texts(run: (parts: string[]) => unknown): Task {
  const inputs = Object.entries(TEXTS).map(
    ([name, make]) => [name, (size: number) => make(size).split(/[,\n|>]/)] as const,
  )
  return { run: run as Task['run'], inputs: Object.fromEntries(inputs), largest: LARGEST_TEXT }
}

/** For what is given the bytes of a file. */
export function file(run: (bytes: Buffer) => unknown): Task {
  const inputs = Object.fromEntries(hostileFeeds.map(({ name, bytes }) => [name, bytes]))
  return { run: run as Task['run'], inputs, largest: LARGEST_FILE }
}

/** For a schema, which is given values of its shape: long texts, long lists, lists of bad items. */
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
