import { NativeSelect } from '@mantine/core'

import { READING_STATES, type ReadingState } from '../../../shared/constants'
import { READING_WORDS } from './reading-words'

interface ReadingFilterProps {
  reading: ReadingState | undefined
  onChange: (reading: ReadingState | undefined) => void
}

/** Chooses which retailers are listed, by how they read their file. */
export function ReadingFilter({ reading, onChange }: ReadingFilterProps) {
  return (
    <NativeSelect
      size="sm"
      aria-label="How they read"
      data={[
        { value: '', label: 'All retailers' },
        ...READING_STATES.map((state) => ({ value: state, label: READING_WORDS[state] })),
      ]}
      value={reading ?? ''}
      onChange={(event) => {
        const { value } = event.currentTarget
        onChange(READING_STATES.find((state) => state === value))
      }}
    />
  )
}
