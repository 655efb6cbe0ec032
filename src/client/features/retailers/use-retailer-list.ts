import { useMutation } from '@tanstack/react-query'

import { generatePassword } from '../../../shared/generate-password'
import type { AddRetailersInput } from '../../../shared/schemas/retailer-list'
import { usePasswordRules } from '../../session/password-rules'
import { trpc } from '../../trpc'
import type { ListLine } from './read-retailer-list'

type NewRetailer = AddRetailersInput['retailers'][number]

/** A list that has been read and checked. */
export interface CheckedList {
  /** In the order of the list, each with all of its problems. */
  lines: ListLine[]
  /** What can be added, with generated passwords. */
  retailers: NewRetailer[]
}

/** Reads a list, and lets the server check the retailers that are valid in themselves. */
export function useCheckRetailers() {
  const { client } = trpc.useUtils()
  const minLength = usePasswordRules().minLength
  return useMutation({
    mutationFn: async (text: string): Promise<CheckedList> => {
      // Loaded here, because only few suppliers ever need the CSV reader.
      const { readRetailerList } = await import('./read-retailer-list')
      const lines = readRetailerList(text)
      const valid = lines.flatMap(({ retailer }) => retailer ?? [])
      const problems =
        valid.length > 0 ? await client.suppliers.checkRetailers.mutate({ retailers: valid }) : []
      for (const { place, message } of problems) {
        lines.find(({ retailer }) => retailer === valid[place])?.problems.push(message)
      }
      const withPasswords = valid.map((retailer) => ({
        ...retailer,
        password: generatePassword(minLength),
      }))
      return { lines, retailers: withPasswords }
    },
  })
}
