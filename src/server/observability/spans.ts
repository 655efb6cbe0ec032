import { AsyncLocalStorage } from 'node:async_hooks'

/** Few and known kinds of values: ids, counts and outcomes, but no names, addresses or texts. */
export type SpanAttributes = Record<string, string | number | boolean>

/** A piece of work that is followed. */
export interface Span {
  set(attributes: SpanAttributes): void
  /** Begins a part of it, which may end anywhere. */
  begin(name: string, attributes?: SpanAttributes): Span
  /**
   * Ends it; only the first call counts.
   * @param error why it failed
   */
  end(error?: unknown): void
}

/** Whoever is told of all that is followed: an adapter. */
export interface SpanKeeper {
  open(name: string, attributes: SpanAttributes): Span
  /** Tells of work that has ended just now. */
  record(name: string, attributes: SpanAttributes, seconds: number, isFailed: boolean): void
}

const NOT_FOLLOWED: Span = {
  set: () => undefined,
  begin: () => NOT_FOLLOWED,
  end: () => undefined,
}

const spans = new AsyncLocalStorage<Span>()
let keeper: SpanKeeper | undefined

/** From now on work is followed, or with undefined no more. */
export function setSpanKeeper(next: SpanKeeper | undefined): void {
  keeper = next
}

/** The span that the running code is a part of. */
export const currentSpan = (): Span => spans.getStore() ?? NOT_FOLLOWED

/** Follows work that is a part of no other, whatever has started it. */
export function inRootSpan<T>(
  name: string,
  attributes: SpanAttributes,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return run(keeper?.open(name, attributes) ?? NOT_FOLLOWED, work)
}

/** Follows a part of the work in whose span the running code is. */
export function inSpan<T>(name: string, work: (span: Span) => Promise<T>): Promise<T> {
  return run(currentSpan().begin(name), work)
}

/** Tells of work that has ended just now. */
export function recordSpan(
  name: string,
  attributes: SpanAttributes,
  seconds: number,
  isFailed: boolean,
): void {
  keeper?.record(name, attributes, seconds, isFailed)
}

async function run<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await spans.run(span, () => work(span))
  } catch (error) {
    span.end(error)
    throw error
  } finally {
    span.end()
  }
}
