import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import { TRPCClientError } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import type { ReactNode } from 'react'

import type { CurrentUser, User } from '../../shared/schemas/user'
import { Toaster } from '../components/feedback/toaster'
import { createQueryClient } from '../query-client'
import { createAppRouter } from '../router'
import { confirmingLink } from '../session/confirming-link'
import { cssVariablesResolver, theme } from '../theme'
import { trpc } from '../trpc'
import { OutsideRoutes } from './render'

/**
 * Stands in for the server: the result of each procedure by its path, such as `app.info`. That of a stream
 * lets it start.
 */
export type Answers = Record<string, (input: never) => unknown>

/** An error response of the server, to be thrown by an answer. */
export class Refusal extends Error {
  constructor(
    readonly httpStatus: number,
    message: string,
    /** Messages by input path. */
    readonly fieldErrors?: Record<string, string>,
    readonly retryAfterSeconds?: number,
    readonly reason?: string,
    /** The key that a server has shown. */
    readonly hostKey?: string,
  ) {
    super(message)
  }
}

export const supplierUser: User = {
  id: 2,
  username: 'northbeck',
  role: 'SUPPLIER',
  isActive: true,
  companyName: 'Northbeck Outdoor',
  maxRetailers: 10,
  contactEmail: 'stock@northbeck.example',
  displayName: null,
  photoURL: null,
  createdAt: '2026-01-01T00:00:00.000Z',
}

export const adminUser: User = {
  ...supplierUser,
  id: 1,
  username: 'admin',
  role: 'SUPER_ADMIN',
  companyName: null,
  maxRetailers: null,
}

/** Renders the whole app at a path, signed in as `user`, and returns its router as well. */
export function renderApp(path: string, user: CurrentUser, answers: Answers) {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [path] }))
  const screen = renderWithAnswers(
    <>
      <RouterProvider router={router} />
      <Toaster />
    </>,
    {
      'session.current': () => user,
      'app.info': () => ({
        appName: 'Stockbridge',
        isSignupAllowed: true,
        isGoogleConfigured: false,
        publicUrl: 'https://stock.example',
      }),
      'invitations.list': () => ({ invitations: [], openCount: 0, hasMail: true }),
      ...answers,
    },
  )
  return { ...screen, router }
}

/** Renders components that call the server. */
export function renderWithAnswers(ui: ReactNode, answers: Answers) {
  const client = createQueryClient()
  const trpcClient = trpc.createClient({ links: [confirmingLink(), answerFrom(answers)] })
  return render(
    <trpc.Provider client={trpcClient} queryClient={client}>
      <QueryClientProvider client={client}>
        <MantineProvider env="test" theme={theme} cssVariablesResolver={cssVariablesResolver}>
          <OutsideRoutes>{ui}</OutsideRoutes>
        </MantineProvider>
      </QueryClientProvider>
    </trpc.Provider>,
  )
}

type Link = Parameters<typeof trpc.createClient>[0]['links'][number]

/** A tRPC link that answers calls without a network. */
function answerFrom(answers: Answers): Link {
  return () =>
    ({ op }) =>
      observable((observer) => {
        const answer = answers[op.path]
        const isStream = op.type === 'subscription'
        // Most tests have no live changes.
        if (isStream && !answer) return
        void (async () => {
          try {
            if (!answer) throw new Error(`No answer for ${op.path}`)
            const data = await answer(op.input as never)
            observer.next({ result: isStream ? { type: 'started' } : { type: 'data', data } })
            if (!isStream) observer.complete()
          } catch (error) {
            observer.error(toClientError(error))
          }
        })()
      })
}

function toClientError(error: unknown) {
  const message = error instanceof Error ? error.message : String(error)
  const { httpStatus, fieldErrors, retryAfterSeconds, reason, hostKey }: Partial<Refusal> =
    error instanceof Refusal ? error : { httpStatus: 500 }
  const data = {
    httpStatus,
    ...(fieldErrors && { fieldErrors }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(reason !== undefined && { reason }),
    ...(hostKey !== undefined && { hostKey }),
  }
  return TRPCClientError.from({ error: { message, code: -32_603, data } })
}

/** When a view of tests ends: the banner acts at once on a time that is past, or too far away for a timer. */
export const viewedUntil = () => new Date(Date.now() + 600_000).toISOString()
