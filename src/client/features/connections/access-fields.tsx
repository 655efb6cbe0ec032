import { Button, PasswordInput, Select, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'

import type { ConnectionFormValues } from '../../../shared/schemas/connection'
import {
  SECRET_MASK,
  SOURCE_AUTH_TYPES,
  type SourceAuthType,
} from '../../../shared/schemas/source-auth'
import { originOf, startAuth, type SavedSource } from './source-access'

const LABELS: Record<SourceAuthType, string> = {
  none: 'None',
  basic: 'User name and password',
  bearer: 'Bearer token',
  header: 'Header',
}

interface AccessFieldsProps {
  form: UseFormReturnType<ConnectionFormValues>
  saved: SavedSource
}

/** Credentials for the source. Saved secrets are masked; sending the mask back keeps the secret. */
export function AccessFields({ form, saved }: AccessFieldsProps) {
  const { type } = form.values.config.auth
  return (
    <>
      <Select
        {...form.getInputProps('config.auth.type')}
        label="Access"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={describeAccess(form.values.config)}
        allowDeselect={false}
        data={SOURCE_AUTH_TYPES.map((value) => ({ value, label: LABELS[value] }))}
        onChange={(choice) => {
          form.clearFieldError('config.auth.type')
          if (choice) form.setFieldValue('config.auth', startAuth(choice, saved))
        }}
      />
      {type !== 'none' && (
        <SimpleGrid cols={{ base: 1, xs: type === 'bearer' ? 1 : 2 }} spacing="md">
          {type === 'basic' && (
            <TextInput
              label="User Name"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...form.getInputProps('config.auth.username')}
            />
          )}
          {type === 'header' && (
            <TextInput
              label="Header Name"
              placeholder="X-Api-Key"
              autoComplete="off"
              spellCheck={false}
              {...form.getInputProps('config.auth.name')}
            />
          )}
          <SecretField key={type} form={form} saved={saved} type={type} />
        </SimpleGrid>
      )}
    </>
  )
}

function describeAccess({ auth, url }: ConnectionFormValues['config']): string {
  if (auth.type === 'none') return 'The file is fetched without credentials.'
  const origin = originOf(url)
  return `Sent only to ${origin ?? 'the server of the URL'}. Stored encrypted and not shown again.`
}

const SECRETS = {
  basic: { path: 'config.auth.password', label: 'Password' },
  bearer: { path: 'config.auth.token', label: 'Token' },
  header: { path: 'config.auth.value', label: 'Header Value' },
} as const

function SecretField({ form, saved, type }: AccessFieldsProps & { type: keyof typeof SECRETS }) {
  const [isReplacing, setReplacing] = useState(false)
  const { path, label } = SECRETS[type]
  const props = form.getInputProps(path)
  const hasSaved = props.value === SECRET_MASK
  const isOtherOrigin = hasSaved && originOf(form.values.config.url) !== originOf(saved?.url ?? '')
  if (hasSaved && !isOtherOrigin) {
    return (
      <TextInput
        {...props}
        label={label}
        readOnly
        variant="filled"
        rightSectionWidth={86}
        rightSection={
          <Button
            size="compact-sm"
            variant="light"
            aria-label={`Replace the ${label.toLowerCase()}`}
            onClick={() => {
              setReplacing(true)
              form.setFieldValue(path, '')
            }}
          >
            Replace
          </Button>
        }
      />
    )
  }
  return (
    <PasswordInput
      {...props}
      ref={isReplacing ? focus : undefined}
      label={label}
      autoComplete="new-password"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={
        isOtherOrigin && `Enter it again: the saved one is only for ${originOf(saved?.url ?? '')}.`
      }
      value={hasSaved ? '' : props.value}
    />
  )
}

/** Focuses the field on mount: it replaces the button that was pressed. */
const focus = (input: HTMLInputElement | null) => input?.focus()
