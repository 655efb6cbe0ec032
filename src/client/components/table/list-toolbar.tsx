import { CloseButton, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'

import { SEARCH_MAX_LENGTH } from '../../../shared/constants'

import classes from './list-toolbar.module.css'

interface ListToolbarProps {
  /** Label and placeholder of the field, for example `Search retailers`. */
  label: string
  query: string
  onQueryChange: (query: string) => void
  /** Beside the field. */
  filter?: ReactNode
  children?: ReactNode
  /** At the end. */
  actions?: ReactNode
}

/** The search field above a list; reports the query 250 ms after the last keystroke. */
export function ListToolbar(props: ListToolbarProps) {
  const { label, query, onQueryChange, filter, children, actions } = props
  const [text, setText] = useState(query)
  const [lastQuery, setLastQuery] = useState(query)
  if (query !== lastQuery) {
    setLastQuery(query)
    if (query !== text.trim()) setText(query)
  }
  const report = useDebouncedCallback((value: string) => onQueryChange(value.trim()), 250)
  return (
    <div className={classes.toolbar}>
      <TextInput
        type="search"
        size="sm"
        aria-label={label}
        placeholder={label}
        className={classes.search}
        leftSection={<IconSearch size={15} aria-hidden="true" />}
        rightSection={
          text !== '' && (
            <CloseButton
              size="sm"
              aria-label="Clear search"
              onClick={() => {
                setText('')
                onQueryChange('')
              }}
            />
          )
        }
        maxLength={SEARCH_MAX_LENGTH}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          report(event.currentTarget.value)
        }}
      />
      {filter}
      <Text component="div" ml="auto" c="dimmed" fz="sm" data-figures>
        {children}
      </Text>
      {actions}
    </div>
  )
}
