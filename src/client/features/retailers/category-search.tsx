import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'

import { SEARCH_MAX_LENGTH } from '../../../shared/constants'
import { formatCount } from '../../../shared/format'

import classes from './visibility-fields.module.css'

interface CategorySearchProps {
  categoryCount: number
  query: string
  onChange: (query: string) => void
}

export function CategorySearch({ categoryCount, query, onChange }: CategorySearchProps) {
  return (
    <div className={classes.search}>
      <TextInput
        type="search"
        variant="unstyled"
        aria-label="Search categories"
        placeholder={`Search ${formatCount(categoryCount)} categories`}
        maxLength={SEARCH_MAX_LENGTH}
        leftSection={<IconSearch size={15} aria-hidden="true" />}
        rightSection={
          query && <CloseButton size="sm" aria-label="Clear search" onClick={() => onChange('')} />
        }
        value={query}
        onChange={(event) => onChange(event.currentTarget.value)}
        // Enter would submit the surrounding form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
    </div>
  )
}
