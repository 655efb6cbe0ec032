import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'

import { SEARCH_MAX_LENGTH } from '../../../shared/constants'
import { trpc } from '../../trpc'

/** The value for a key that is not limited to a part of the company. */
export const WHOLE = 'company'
const WHOLE_ITEM = { value: WHOLE, label: 'Everything of the company' }
const SEARCH_DELAY_MS = 250

/** The connection or retailer of a chosen value. */
export function toPart(value: string): { connectionId?: number; retailerId?: number } {
  const [kind, id] = value.split(' ')
  if (kind === 'connection') return { connectionId: Number(id) }
  return kind === 'retailer' ? { retailerId: Number(id) } : {}
}

interface ApiKeyPartProps {
  value: string
  onChange: (value: string) => void
}

/** A supplier’s choice of what a key reaches; retailers are searched, as there may be thousands. */
export function ApiKeyPart({ value, onChange }: ApiKeyPartProps) {
  const [chosen, setChosen] = useState(WHOLE_ITEM)
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, SEARCH_DELAY_MS)
  const q = search === chosen.label ? '' : search.slice(0, SEARCH_MAX_LENGTH)
  const connections = trpc.connections.list.useQuery()
  const retailers = trpc.retailers.page.useQuery({ q }, { placeholderData: keepPreviousData })
  const connectionItems = (connections.data ?? []).map(({ id, name }) => ({
    value: `connection ${id}`,
    label: name,
  }))
  const retailerItems = (retailers.data?.rows ?? []).map(({ id, storeName, username }) => ({
    value: `retailer ${id}`,
    label: storeName || username,
  }))
  const known = [WHOLE_ITEM, ...connectionItems, ...retailerItems]
  const kept = known.some((item) => item.value === chosen.value) ? [] : [chosen]
  return (
    <Select
      label="What it reaches"
      description="A key of one connection or retailer reaches only the calls that name it."
      searchable
      allowDeselect={false}
      nothingFoundMessage="Nothing found"
      data={[
        WHOLE_ITEM,
        { group: 'Only this connection', items: connectionItems },
        { group: 'Only this retailer', items: [...kept, ...retailerItems] },
      ]}
      value={value}
      onSearchChange={setText}
      onChange={(next, option) => {
        if (next === null || option === null) return
        setChosen({ value: next, label: option.label })
        onChange(next)
      }}
    />
  )
}
