import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

import { USERNAME_MAX_LENGTH } from '../../../shared/constants'
import type { AuditView } from '../../lib/audit-view'
import { listAuditChoices } from './audit-words'

import classes from './audit.module.css'

const TYPING_MS = 300
const NO_FILTERS: AuditView = {
  who: undefined,
  what: undefined,
  from: undefined,
  to: undefined,
  supplier: undefined,
  subject: undefined,
}

interface AuditFiltersProps {
  view: AuditView
  isAdministrator: boolean
  onChange: (change: AuditView) => void
}

/** Who, what and when; a supplier or an object is chosen elsewhere and can be let go here. */
export function AuditFilters({ view, isAdministrator, onChange }: AuditFiltersProps) {
  const isFiltered = Object.values(view).some((value) => value !== undefined)
  return (
    <search className={classes.filters}>
      <WhoField key={view.who ?? ''} who={view.who ?? ''} onChange={(who) => onChange({ who })} />
      <NativeSelect
        label="What"
        data={[{ value: '', label: 'Everything' }, ...listAuditChoices(isAdministrator)]}
        value={view.what ?? ''}
        onChange={(event) =>
          onChange({ what: event.currentTarget.value || undefined, subject: undefined })
        }
      />
      <TextInput
        label="From"
        type="date"
        value={view.from ?? ''}
        onChange={(event) => onChange({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        label="To"
        type="date"
        value={view.to ?? ''}
        onChange={(event) => onChange({ to: event.currentTarget.value || undefined })}
      />
      {isFiltered && (
        <Button variant="default" onClick={() => onChange(NO_FILTERS)}>
          Clear filters
        </Button>
      )}
    </search>
  )
}

function WhoField({ who, onChange }: { who: string; onChange: (who?: string) => void }) {
  const [text, setText] = useState(who)
  const report = useDebouncedCallback((name: string) => onChange(name || undefined), TYPING_MS)
  return (
    <TextInput
      label="Who"
      placeholder="Username"
      autoComplete="off"
      spellCheck={false}
      maxLength={USERNAME_MAX_LENGTH}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        report(event.currentTarget.value.trim())
      }}
    />
  )
}
