import { useWindowEvent } from '@mantine/hooks'

interface PageKeys {
  /** Ctrl+K, or Cmd+K on a Mac. */
  onPalette: () => void
  /** `?` */
  onHelp: () => void
}

/** The keys that work on every page: `/` focuses its search. None works over an open dialog. */
export function usePageKeys({ onPalette, onHelp }: PageKeys): void {
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || document.querySelector('[aria-modal="true"]'))
      return
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== 'k' || event.shiftKey) return
      event.preventDefault()
      onPalette()
    } else if (!isTyping(event.target)) {
      if (event.key === '?') onHelp()
      // So that the key is not typed into the field.
      if (event.key === '/' && focusPageSearch()) event.preventDefault()
    }
  })
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
  )
}

/** Focuses the search of the page's list, and returns whether there is one. */
export function focusPageSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]')
  search?.focus()
  search?.select()
  return search !== null
}
