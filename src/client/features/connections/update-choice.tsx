import { Checkbox, Stack, Switch, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'

import type { Connection } from '../../../shared/schemas/connection'
import type { Removal, UpdateSettingsInput } from '../../../shared/schemas/updates'

import classes from './reading-choice.module.css'

/** What of a form is about updates; null: each file has all items. */
interface UpdatesForm {
  values: { updates: UpdateSettingsInput | null }
  /** By the paths of fields. */
  errors: Record<string, ReactNode>
  clearErrors: () => void
  setFieldValue: (path: 'updates', updates: UpdateSettingsInput | null) => void
}

interface UpdateChoiceProps {
  form: UpdatesForm
  /** null for a new one. */
  connection: Connection | null
}

const NO_REMOVAL: Removal = { column: '', value: '' }

/** Whether the files of a connection have only what has changed, and what is to be known of them then. */
export function UpdateChoice({ form, connection }: UpdateChoiceProps) {
  const { values, errors } = form
  const { updates } = values
  // While nothing is published, the next file has to be a full one.
  const isFirst = !connection?.lastSync
  function change(changed: UpdateSettingsInput | null) {
    form.clearErrors()
    form.setFieldValue('updates', changed)
  }
  return (
    <Stack gap={14}>
      <Switch
        label="Each file has only what has changed"
        description={
          updates
            ? 'Its rows are found by their SKU and merged with what is published. Items and columns that it does not have stay as they are.'
            : 'Otherwise each file has all items, and those that it does not have are gone.'
        }
        error={errors['updates']}
        checked={updates !== null}
        onChange={({ currentTarget }) =>
          change(
            currentTarget.checked ? { removal: null, fullName: null, nextIsFull: isFirst } : null,
          )
        }
      />
      {updates && <UpdateFields updates={updates} errors={errors} onChange={change} />}
    </Stack>
  )
}

interface UpdateFieldsProps {
  updates: UpdateSettingsInput
  errors: UpdatesForm['errors']
  onChange: (updates: UpdateSettingsInput) => void
}

function UpdateFields({ updates, errors, onChange }: UpdateFieldsProps) {
  const { removal, fullName, nextIsFull = false } = updates
  function changeRemoval(changes: Partial<Removal>) {
    const next = { ...(removal ?? NO_REMOVAL), ...changes }
    onChange({ ...updates, removal: next.column || next.value ? next : null })
  }
  return (
    <>
      <div className={classes.fieldsWithHelp}>
        <TextInput
          label="Column that removes items"
          description="It is not published. Empty: nothing is removed."
          placeholder="action"
          error={errors['updates.removal.column']}
          value={removal?.column ?? ''}
          onChange={({ currentTarget }) => changeRemoval({ column: currentTarget.value })}
        />
        <TextInput
          label="Its value for those items"
          description="Other values change or add the item."
          placeholder="delete"
          error={errors['updates.removal.value']}
          value={removal?.value ?? ''}
          onChange={({ currentTarget }) => changeRemoval({ value: currentTarget.value })}
        />
      </div>
      <TextInput
        label="Name of full files"
        description="A full file has all items, and is needed at first and now and then. * stands for any text."
        placeholder="stock-full-*.csv"
        error={errors['updates.fullName']}
        value={fullName ?? ''}
        onChange={({ currentTarget }) =>
          onChange({ ...updates, fullName: currentTarget.value || null })
        }
      />
      <Checkbox
        label="The next file is a full one"
        description="Whatever its name: it takes the place of all items."
        checked={nextIsFull}
        onChange={({ currentTarget }) =>
          onChange({ ...updates, nextIsFull: currentTarget.checked })
        }
      />
    </>
  )
}
