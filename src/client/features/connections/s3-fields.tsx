import { Fieldset, SimpleGrid, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'

import type { ConnectionFormValues } from '../../../shared/schemas/connection'
import { DEFAULT_REGION } from '../../../shared/schemas/source-auth'

interface S3FieldsProps {
  form: UseFormReturnType<ConnectionFormValues>
  path: 'config' | 'overlay'
  /** What the fields are for. */
  label: string
  /** The field of the secret key. */
  children: ReactNode
}

const PLAIN_TEXT = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

/** The key pair with which a file in a bucket is fetched, and where the bucket is. */
export function S3Fields({ form, path, label, children }: S3FieldsProps) {
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
        The key pair signs each request and is never sent; it is stored encrypted. It needs the
        permission s3:GetObject. Endpoint: of a server that is not Amazon’s, such as MinIO, Ceph or
        Wasabi.
      </Text>
    </Fieldset>
  )
}
