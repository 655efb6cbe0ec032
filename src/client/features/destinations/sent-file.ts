import { trpc } from '../../trpc'

/** Whose file is sent: a retailer’s, by its id, or the merged file of whoever is signed in. */
export type SentFile = number | 'merged'

/** The calls about the destinations of a file, which are alike, what is known of them, and what names the file in them. */
export function useDestinationCalls(file: SentFile) {
  const { client, destinations, mergedDestinations } = trpc.useUtils()
  if (file !== 'merged') {
    const of = { id: file }
    return { calls: client.destinations, known: destinations, of, path: `retailers/${file}` }
  }
  return {
    // It is named by who calls, and nothing else is different.
    calls: client.mergedDestinations as unknown as typeof client.destinations,
    known: mergedDestinations as unknown as typeof destinations,
    of: {} as { id: number },
    path: 'merged-file',
  }
}

/** A call of these, for `useMutation`. */
export const toMutation =
  <Input, Output>(call: { mutate: (input: Input) => Promise<Output> }) =>
  (input: Input): Promise<Output> =>
    call.mutate(input)
