import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'

import { HOUR_MS, MINUTE_MS } from '../../shared/durations'
import type { SecretLink } from '../../shared/schemas/secret-link'

const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

export const activeLink: SecretLink = {
  id: 2,
  tokenEnd: 'x7Qa',
  createdAt: ago(HOUR_MS),
  expiresAt: null,
  /** When it is read: this module may have been loaded minutes before. */
  get lastUsedAt() {
    return ago(5 * MINUTE_MS)
  },
  lastClient: 'curl',
}
export const replacedLink: SecretLink = {
  ...activeLink,
  id: 1,
  tokenEnd: 'b_9K',
  expiresAt: ago(-20 * HOUR_MS),
  lastUsedAt: null,
  lastClient: null,
}

/** Answers for a panel over a server that has these links, and the changes that it is asked for. */
export function answerLinks(
  router: 'feedAddresses' | 'uploadLinks',
  links: SecretLink[],
  newPath: string,
  /** What a new one has besides. */
  more: object = {},
) {
  const calls: string[] = []
  const answers = {
    'app.info': () => ({ appName: 'Stockbridge', publicUrl: 'https://stock.example' }),
    [`${router}.list`]: () => links,
    [`${router}.create`]: () => {
      calls.push('create')
      links = [{ ...activeLink, ...more }]
      return { path: newPath }
    },
    [`${router}.revoke`]: () => {
      calls.push('revoke')
      links = []
      return { message: 'Revoked' }
    },
  }
  return { answers, calls }
}

export const clickButton = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name, exact: true } as { name: string }))

/** Answers the question of a dialog. */
export const confirm = async (name: string) =>
  userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }))
