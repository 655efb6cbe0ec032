/** How keys look where they are typed: each letter counts. */
export const KEY_TEXT = {
  input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' },
}
