import type * as playwright from 'playwright-core'

/**
 * What a page shows now. It is a promise that the linter does not let a test await (`await-thenable`), because
 * a test that reads once fails on a slow machine: `expect.poll` repeats the read until it is as expected. What
 * `evaluate` returns, and a page that opens by itself, are not covered.
 */
export type Reading<T> = Pick<Promise<T>, 'finally'>

/** Awaits a reading: for a caller that repeats it itself, or a comment says why once is enough. */
export const readNow = <T>(reading: Reading<T>): Promise<T> => reading as Promise<T>

type Read =
  | 'all'
  | 'allInnerTexts'
  | 'allTextContents'
  | 'ariaSnapshot'
  | 'boundingBox'
  | 'content'
  | 'count'
  | 'getAttribute'
  | 'innerHTML'
  | 'innerText'
  | 'inputValue'
  | 'isChecked'
  | 'isDisabled'
  | 'isEditable'
  | 'isEnabled'
  | 'isHidden'
  | 'isVisible'
  | 'textContent'
  | 'title'

/** `waitForURL` repeats what `url` reads once; the others wait for no condition that a test has. */
type Vain = 'url' | 'waitForLoadState' | 'waitForTimeout'

/** Options and arguments, in which our locators stand for Playwright's. */
type Given<T> = T extends playwright.Locator
  ? Locator
  : T extends object
    ? { [Name in keyof T]: Given<T[Name]> }
    : T

/** As a method, whose parameters may be narrower: Playwright's own locators and pages fit too. */
type Finder<Arguments extends unknown[]> = {
  find(...given: { [Index in keyof Arguments]: Given<Arguments[Index]> }): Locator
}['find']

type Repeated<T> = {
  [Name in Exclude<keyof T, Vain>]: T[Name] extends (...given: infer Arguments) => infer Result
    ? Name extends Read
      ? (...given: Arguments) => Reading<Awaited<Result>>
      : Name extends 'page'
        ? () => Page
        : [Result] extends [playwright.Locator]
          ? Finder<Arguments>
          : T[Name]
    : T[Name]
}

/** Playwright's page and locator, whose reads are readings. */
export interface Page extends Repeated<playwright.Page> {}
export interface Locator extends Repeated<playwright.Locator> {
  /** Says how it is found. */
  toString(): string
}
