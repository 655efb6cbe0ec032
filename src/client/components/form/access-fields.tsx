import {
  Button,
  type InputWrapperProps,
  PasswordInput,
  Select,
  SimpleGrid,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'

import {
  SECRET_MASK,
  SOURCE_AUTH_TYPES,
  type SourceAuthType,
} from '../../../shared/schemas/source-auth'
import { findScheme, SOURCE_SCHEMES } from '../../../shared/source-schemes'
import { originOf, startAuth, type SavedSource } from '../../lib/source-access'
import { KEY_TEXT } from './key-text'
import { S3Fields } from './s3-fields'
import type { SourceForm, SourceFormValues, SourceUse } from './source-form'

type InputWrapperOrder = NonNullable<InputWrapperProps['inputWrapperOrder']>
type ChosenType = Exclude<SourceAuthType, 's3'>

const LABELS: Record<ChosenType, string> = {
  none: 'None',
  basic: 'User name and password',
  bearer: 'Bearer token',
  header: 'Header',
  'ssh-key': 'User name and private key',
}

/** Those that an address takes. A key pair is not chosen: the address tells that one is needed. */
const listOptions = (url: string) =>
  SOURCE_AUTH_TYPES.filter((type) => type !== 's3')
    .filter((type) =>
      (findScheme(url) ?? SOURCE_SCHEMES['https:']).access.some((one) => one === type),
    )
    .map((value) => ({ value, label: LABELS[value] }))

interface AccessFieldsProps {
  form: SourceForm
  /** Where the source is in the values of the form. */
  path: 'config' | 'overlay'
  source: SourceFormValues
  saved: SavedSource
  label?: string
  use?: SourceUse
}

/** Credentials for a source. Saved secrets are masked; sending the mask back keeps the secret. */
export function AccessFields({ label = 'Access', use = 'fetch', ...props }: AccessFieldsProps) {
  const { form, path, source, saved } = props
  const { type } = source.auth
  if (type === 's3') {
    return (
      <S3Fields form={form} path={path} label={label} use={use}>
        <SecretField {...props} type={type} />
      </S3Fields>
    )
  }
  return (
    <>
      <Select
        {...form.getInputProps(`${path}.auth.type`)}
        label={label}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={describeAccess(source, use)}
        allowDeselect={false}
        data={listOptions(source.url)}
        onChange={(choice) => {
          form.clearFieldError(`${path}.auth.type`)
          if (choice) form.setFieldValue(`${path}.auth`, startAuth(choice, saved))
        }}
      />
      {type !== 'none' && (
        <SimpleGrid cols={{ base: 1, xs: ONE_COLUMN.has(type) ? 1 : 2 }} spacing="md">
          {(type === 'basic' || type === 'ssh-key') && (
            <TextInput
              label="User Name"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...form.getInputProps(`${path}.auth.username`)}
            />
          )}
          {type === 'header' && (
            <TextInput
              label="Header Name"
              placeholder="X-Api-Key"
              autoComplete="off"
              spellCheck={false}
              {...form.getInputProps(`${path}.auth.name`)}
            />
          )}
          <SecretField key={type} {...props} type={type} />
          {type === 'ssh-key' &&
            source.auth.type === type &&
            source.auth.privateKey !== SECRET_MASK && (
              <PasswordInput
                label="Passphrase (optional)"
                description="Of the private key, which is stored without it, encrypted."
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                autoComplete="off"
                {...form.getInputProps(`${path}.auth.passphrase`)}
              />
            )}
        </SimpleGrid>
      )}
    </>
  )
}

/** Kinds whose secret needs the whole width. */
const ONE_COLUMN = new Set<SourceAuthType>(['bearer', 'ssh-key'])

function describeAccess({ auth, url }: SourceFormValues, use: SourceUse): string {
  if (auth.type === 'none') {
    return `The file is ${use === 'send' ? 'sent' : 'fetched'} without credentials.`
  }
  const origin = originOf(url)
  if (auth.type === 'ssh-key') {
    return `Signs in to ${origin ?? 'the server of the URL'}. The key is never sent; it is stored encrypted and not shown again.`
  }
  return `Sent only to ${origin ?? 'the server of the URL'}. Stored encrypted and not shown again.`
}

const SECRETS = {
  basic: { field: 'password', label: 'Password' },
  bearer: { field: 'token', label: 'Token' },
  header: { field: 'value', label: 'Header Value' },
  s3: { field: 'secretAccessKey', label: 'Secret Key' },
  'ssh-key': { field: 'privateKey', label: 'Private Key' },
} as const

type SecretFieldProps = Omit<AccessFieldsProps, 'label' | 'use'> & { type: keyof typeof SECRETS }

function SecretField({ form, path: place, source, saved, type }: SecretFieldProps) {
  const [isReplacing, setReplacing] = useState(false)
  const { field, label } = SECRETS[type]
  const path = `${place}.auth.${field}`
  const props = form.getInputProps(path)
  const hasSaved = props.value === SECRET_MASK
  const isOtherOrigin = hasSaved && originOf(source.url) !== originOf(saved?.url ?? '')
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
  const fieldProps = {
    ...props,
    ref: isReplacing ? focus : undefined,
    label,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as InputWrapperOrder,
    description:
      isOtherOrigin && `Enter it again: the saved one is only for ${originOf(saved?.url ?? '')}.`,
    value: hasSaved ? '' : props.value,
  }
  return type === 'ssh-key' ? (
    <Textarea
      {...fieldProps}
      autoComplete="off"
      placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
      spellCheck={false}
      rows={4}
      styles={KEY_TEXT}
    />
  ) : (
    <PasswordInput {...fieldProps} autoComplete="new-password" />
  )
}

/** Focuses the field on mount: it replaces the button that was pressed. */
const focus = (input: HTMLElement | null) => input?.focus()
