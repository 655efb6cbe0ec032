import type { inferRouterInputs } from '@trpc/server'
import type { z } from 'zod'

import type { Access, CallMeta } from '../trpc/init'
import { appRouter, type AppRouter } from './router'

type Nouns = AppRouter['_def']['record']
/** The first part of a procedure's path, such as `suppliers`. */
export type Noun = Extract<keyof Nouns, string>

/** The path of any procedure of the router, such as `suppliers.create`. */
export type ProcedurePath = { [N in Noun]: `${N}.${keyof Nouns[N] & string}` }[Noun]

type Inputs = inferRouterInputs<AppRouter>

/** The input that a caller of the procedure sends. */
export type InputOf<Path extends ProcedurePath> =
  Path extends `${infer N extends Noun}.${infer Verb}` ? Inputs[N][Verb & keyof Inputs[N]] : never

type Definition = {
  type: 'query' | 'mutation' | 'subscription'
  meta?: CallMeta
  /** The schemas given to `.input()`; empty for a procedure without input. */
  inputs: readonly z.ZodType[]
  /** The schema given to `.output()`. Subscriptions have none. */
  output?: z.ZodType
}

/** The definitions of all procedures, which tRPC's types do not show. */
const definitions = appRouter._def.procedures as unknown as Readonly<
  Record<ProcedurePath, { _def: Definition }>
>

export const procedurePaths = Object.keys(definitions) as readonly ProcedurePath[]

export const definitionOf = (path: ProcedurePath): Definition => definitions[path]._def

/** @throws Error for a procedure that is not built from one of those in `trpc/init.ts` */
export function rolesOf(path: ProcedurePath): Access {
  const roles = definitionOf(path).meta?.roles
  if (!roles) throw new Error(`No roles are stated for ${path}`)
  return roles
}

/** The input schema of a procedure; undefined when it has no input. */
export const inputSchemaOf = (path: ProcedurePath): z.ZodType | undefined =>
  definitionOf(path).inputs.at(-1)

export function isProcedurePath(path: string): path is ProcedurePath {
  return Object.hasOwn(definitions, path)
}
