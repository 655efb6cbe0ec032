import type { inferRouterInputs } from '@trpc/server'
import type { z } from 'zod'

import type { CallMeta } from './init'
import { appRouter, type AppRouter } from './router'

type Nouns = AppRouter['_def']['record']
/** The first part of a procedure's path. */
export type Noun = Extract<keyof Nouns, string>

/** `suppliers.create`: every procedure of the router, by its path. */
export type ProcedurePath = { [N in Noun]: `${N}.${keyof Nouns[N] & string}` }[Noun]

type Inputs = inferRouterInputs<AppRouter>

/** What a caller of the procedure sends. */
export type InputOf<Path extends ProcedurePath> =
  Path extends `${infer N extends Noun}.${infer Verb}` ? Inputs[N][Verb & keyof Inputs[N]] : never

type Definition = {
  type: 'query' | 'mutation' | 'subscription'
  meta?: CallMeta
  /** The schemas that `.input()` was given; of a procedure that takes nothing, none. */
  inputs: readonly z.ZodType[]
  /** The schema that `.output()` was given. A stream of events has none. */
  output?: z.ZodType
}

/** The definitions of all procedures, which tRPC's types do not show. */
const definitions = appRouter._def.procedures as unknown as Readonly<
  Record<ProcedurePath, { _def: Definition }>
>

export const procedurePaths = Object.keys(definitions) as readonly ProcedurePath[]

export const definitionOf = (path: ProcedurePath): Definition => definitions[path]._def

/** What the procedure takes; undefined when it takes nothing. */
export const inputSchemaOf = (path: ProcedurePath): z.ZodType | undefined =>
  definitionOf(path).inputs.at(-1)

export function isProcedurePath(path: string): path is ProcedurePath {
  return Object.hasOwn(definitions, path)
}
