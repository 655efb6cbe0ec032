import { Checkbox, Select, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useState } from 'react'

import { listKeyScopes, type KeyScope } from '../../../shared/api-keys'
import { createApiKeyInput, type NewApiKey } from '../../../shared/schemas/api-key'
import { FormDialog } from '../../components/dialog/form-dialog'
import type { DialogProps } from '../../components/dialog/lazy-dialog'
import { FormFooter } from '../../components/form/form-footer'
import { NetworksField, toNetworks } from '../../components/form/networks-field'
import { ValidatedForm } from '../../components/form/validated-form'
import { END_OPTIONS, endAfter } from '../../lib/ends'
import { showFailure } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { useSignedInUser } from '../../session/current-user'
import { memberRoleOf } from '../../session/may'
import { trpc } from '../../trpc'
import { ApiKeyPart, toPart, WHOLE } from './api-key-part'
import { SCOPE_WORDS } from './api-key-words'
import { NewApiKeyShown } from './new-api-key-shown'

/** Makes a key of the user, which is shown once. */
export function MakeApiKeyDialog({ isOpen, onClose }: DialogProps) {
  const [isMade, setIsMade] = useState(false)
  const close = () => {
    setIsMade(false)
    onClose()
  }
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title="Make an API key"
      // A click beside it must not lose the key.
      closeOnClickOutside={!isMade}
    >
      <Steps onMade={() => setIsMade(true)} onClose={close} />
    </FormDialog>
  )
}

function Steps({ onMade, onClose }: { onMade: () => void; onClose: () => void }) {
  const [made, setMade] = useState<NewApiKey>()
  return made ? (
    <NewApiKeyShown made={made} onClose={onClose} />
  ) : (
    <ApiKeyForm
      onMade={(key) => {
        setMade(key)
        onMade()
      }}
    />
  )
}

const ENDS = [...END_OPTIONS, { value: '', label: 'Never' }]

interface Values {
  name: string
  scopes: KeyScope[]
  /** What it is limited to; see `toPart`. */
  part: string
  /** In so many days; empty for never. */
  lasts: string
  /** One a line. */
  networks: string
}

const toInput = ({ name, scopes, part, networks }: Values) => ({
  name,
  scopes,
  ...toPart(part),
  networks: toNetworks(networks),
})

const toEnd = ({ lasts }: Values) => (lasts === '' ? null : endAfter(lasts))

const findProblems = schemaResolver(createApiKeyInput, { sync: true })

/** The first problem of a network is shown at the field of all. */
function findFormProblems(values: Values) {
  const { name, scopes, ...others } = findProblems(toInput(values))
  const [networks] = Object.values(others)
  return { name, scopes, networks }
}

function ApiKeyForm({ onMade }: { onMade: (made: NewApiKey) => void }) {
  const user = useSignedInUser()
  const form = useForm<Values>({
    initialValues: { name: '', scopes: ['read'], part: WHOLE, lasts: '365', networks: '' },
    validate: findFormProblems,
  })
  const { apiKeys } = trpc.useUtils()
  const create = trpc.apiKeys.create.useMutation({
    onSuccess(made) {
      onMade(made)
      void apiKeys.invalidate()
    },
    onError: (error) => showFailure(error, 'The key could not be made'),
  })
  useFieldErrors(form, create.error)
  return (
    <ValidatedForm
      form={form}
      onSubmit={(values) => create.mutate({ ...toInput(values), expiresAt: toEnd(values) })}
    >
      <TextInput
        label="Name"
        description="The program that gets it. What it does is recorded under this name."
        placeholder="Nightly export"
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <Checkbox.Group
        label="What it may do"
        description="Never more than you may yourself."
        {...form.getInputProps('scopes')}
      >
        <Stack gap="sm" mt="xs">
          {listKeyScopes(user.role, memberRoleOf(user)).map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={SCOPE_WORDS[scope].label}
              description={SCOPE_WORDS[scope].note}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      {user.role === 'SUPPLIER' && (
        <ApiKeyPart
          value={form.values.part}
          onChange={(part) => form.setFieldValue('part', part)}
        />
      )}
      <Select
        label="Expires"
        description="You are told two weeks before."
        allowDeselect={false}
        data={ENDS}
        {...form.getInputProps('lasts')}
      />
      <NetworksField
        reason="If it is used from known addresses only."
        {...form.getInputProps('networks')}
      />
      <FormFooter submitLabel="Make the key" isPending={create.isPending} />
    </ValidatedForm>
  )
}
