import type { GetInputPropsReturnType, UseFormReturnType } from '@mantine/form'

import type { ConnectionFormValues } from '../../../shared/schemas/connection'

type AnyForm = UseFormReturnType<Record<string, unknown>>

/** The part of a form by which the fields of an address and its access are read and written. */
export interface SourceForm extends Pick<AnyForm, 'errors' | 'clearFieldError'> {
  getInputProps: (path: string) => GetInputPropsReturnType
  setFieldValue: (path: string, value: unknown) => void
}

/** An address, with what opens it. */
export type SourceFormValues = ConnectionFormValues['config']

/** What is done at an address. */
export type SourceUse = 'fetch' | 'send'
