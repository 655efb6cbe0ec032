import { useNavigate, useSearch } from '@tanstack/react-router'

/** Keeps the open Add dialog of a page in the URL: other pages link to it, and Back closes it. */
export function useAddInUrl(): [boolean, (isAdding: boolean) => void] {
  const navigate = useNavigate()
  const { add }: { add?: true } = useSearch({ strict: false })
  const setAdding = (isAdding: boolean) =>
    void navigate({
      to: '.',
      search: (current: Record<string, unknown>) => ({
        ...current,
        add: isAdding ? true : undefined,
      }),
      replace: !isAdding,
      resetScroll: false,
    })
  return [add === true, setAdding]
}
