import { Button, Group, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'

import { SEARCH_MAX_LENGTH } from '../../../shared/constants'

interface ItemSearchProps {
  /** The SKU that is looked up. */
  sku: string
  onSearch: (sku: string) => void
}

/** Asks for a whole SKU: a part of one finds nothing, so that nothing is searched while it is typed. */
export function ItemSearch({ sku, onSearch }: ItemSearchProps) {
  const [text, setText] = useState(sku)
  const [lastSku, setLastSku] = useState(sku)
  if (sku !== lastSku) {
    setLastSku(sku)
    setText(sku)
  }
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() !== '') onSearch(text.trim())
        }}
      >
        <Group align="flex-end" gap="sm">
          <TextInput
            flex="1 1 260px"
            type="search"
            label="SKU"
            description="The whole SKU as it stands in the file, with its capitals and zeros"
            maxLength={SEARCH_MAX_LENGTH}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button type="submit" leftSection={<IconSearch size={16} aria-hidden="true" />}>
            Look up
          </Button>
        </Group>
      </form>
    </search>
  )
}
