import { Fieldset, SimpleGrid, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'

import { DEFAULT_REGION } from '../../../shared/schemas/source-auth'
import type { SourceForm, SourceUse } from './source-form'

interface S3FieldsProps {
  form: SourceForm
  path: 'config' | 'overlay'
  /** What the fields are for. */
  label: string
  use: SourceUse
  /** The field of the secret key. */
  children: ReactNode
}

const PLAIN_TEXT = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

const PERMISSIONS: Record<SourceUse, string> = {
  fetch: 'the permission s3:GetObject',
  send: 'the permission s3:PutObject, and s3:DeleteObject to take the file of a test away again',
}

/** The key pair with which a file in a bucket is fetched or written, and where the bucket is. */
export function S3Fields({ form, path, label, use, children }: S3FieldsProps) {
  return (
    <Fieldset variant="unstyled" aria-label={label} bd={0} p={0} m={0} miw={0}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <TextInput
          {...PLAIN_TEXT}
          label="Access Key"
          {...form.getInputProps(`${path}.auth.accessKeyId`)}
        />
        {children}
        <TextInput
          {...PLAIN_TEXT}
          label="Region"
          placeholder={DEFAULT_REGION}
          {...form.getInputProps(`${path}.auth.region`)}
        />
        <TextInput
          {...PLAIN_TEXT}
          type="url"
          inputMode="url"
          label="Endpoint (optional)"
          placeholder="https://s3.example.com"
          {...form.getInputProps(`${path}.auth.endpoint`)}
        />
      </SimpleGrid>
      <Text fz="xs" c="dimmed" mt={6}>
        The key pair signs each request and is never sent; it is stored encrypted. It needs{' '}
        {PERMISSIONS[use]}. Endpoint: of a server that is not Amazon’s, such as MinIO, Ceph or
        Wasabi.
      </Text>
    </Fieldset>
  )
}
