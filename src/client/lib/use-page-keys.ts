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
      if (event.key === '/') focusSearch(event)
    }
  })
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
  )
}

/** Prevents the key from being typed into the field that it focuses. */
function focusSearch(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]')
  if (!search) return
  event.preventDefault()
  search.focus()
  search.select()
}
