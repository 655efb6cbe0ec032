import type { z } from 'zod'

import type { InputOf, Noun, ProcedurePath } from './procedures'

type Address = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /api/${string}`

/** Documentation of a route, shown in /api/openapi.json and on the API page. */
type Described = { summary: string; notes?: string }

/** Handled by a procedure, which defines the input, the output and the roles that may call. */
type ProcedureRoute = Described & {
  procedure: ProcedurePath
  /** The status of a success; 200 by default. */
  status?: 201 | 202
}

/** A JSON array of all rows, streamed. */
export type ListRoute = Described & { noun: Noun; rows: z.ZodType }

/** Takes a file as its body, of any type. */
export type UploadRoute = Described & {
  noun: Noun
  takes: 'file'
  /** What it answers with: at once with 202, or with 200 to who waits. */
  answers: z.ZodType
  query: z.ZodObject
}

/** Files and pages, which no procedure returns. */
export type ContentRoute = Described & {
  noun: Noun
  /** The media type. */
  sends: string
  /** Further ones, by settings or query. */
  alsoSends?: readonly string[]
  status?: 302
  /** Which validators its responses have, besides which ranges and conditions are supported. */
  validators?: 'tag' | 'tag and time'
  query?: z.ZodObject
}

export type ApiRoute = ProcedureRoute | ListRoute | UploadRoute | ContentRoute

/** `id` and `fileName` of `GET /api/retailers/:id/files/:fileName`. */
type ParamsOf<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? ParamsOf<Head> | ParamsOf<Tail>
  : Path extends `:${infer Name}`
    ? Name
    : never

/** Compiles when every parameter of a path is a field of its procedure's input. */
type WithKnownParams<Table> = {
  [Path in keyof Table & string]: Table[Path] extends { procedure: infer P extends ProcedurePath }
    ? ParamsOf<Path> extends keyof InputOf<P>
      ? unknown
      : `${P} does not take the parameters of this path`
    : unknown
}

export function defineRoutes<const Table extends Record<Address, ApiRoute>>(
  table: Table & WithKnownParams<Table>,
): Table {
  return table
}
