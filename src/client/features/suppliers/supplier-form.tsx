import { NumberInput, PasswordInput, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm, type UseFormReturnType } from '@mantine/form'
import { useEffect } from 'react'
import type { z } from 'zod'

import { DEFAULT_MAX_RETAILERS, PASSWORD_MIN_LENGTH } from '../../../shared/constants'
import { maxRetailersSchema } from '../../../shared/schemas/primitives'
import { createSupplierInput } from '../../../shared/schemas/supplier'
import type { User } from '../../../shared/schemas/user'
import { FormFooter } from '../../components/form-footer'
import { focusFirstInvalid, showServerFieldError } from '../../lib/form-errors'

const addSchema = createSupplierInput.extend({ maxRetailers: maxRetailersSchema })
const editSchema = addSchema.omit({ username: true, password: true })
type AddValues = z.infer<typeof addSchema>
type EditValues = z.infer<typeof editSchema>

interface SupplierFormProps<Values> {
  isPending: boolean
  /** The server's last refusal. */
  error: unknown
  onCancel: () => void
  onSubmit: (values: Values) => void
}

function useRefusal(form: Parameters<typeof showServerFieldError>[0], error: unknown) {
  useEffect(() => {
    if (!error) return
    showServerFieldError(form, error, {
      username: /username/i,
      password: /password/i,
      companyName: /company/i,
      contactEmail: /email/i,
      maxRetailers: /max retailers/i,
    })
    // oxlint-disable-next-line react/exhaustive-deps -- once per refusal
  }, [error])
}

export function AddSupplierForm(props: SupplierFormProps<AddValues>) {
  const form = useForm<AddValues>({
    initialValues: {
      username: '',
      password: '',
      companyName: '',
      contactEmail: '',
      maxRetailers: DEFAULT_MAX_RETAILERS,
    },
    validate: schemaResolver(addSchema, { sync: true }),
  })
  useRefusal(form, props.error)
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => props.onSubmit(addSchema.parse(values)),
        (errors) => focusFirstInvalid(form, errors),
      )}
    >
      <Stack gap="md">
        <TextInput
          label="Username"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('username')}
        />
        <PasswordInput
          label="Password"
          description={`At least ${PASSWORD_MIN_LENGTH} characters`}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <CompanyFields form={form} />
        <FormFooter
          submitLabel="Add Supplier"
          isPending={props.isPending}
          onCancel={props.onCancel}
        />
      </Stack>
    </form>
  )
}

/** §5: the username cannot be edited, the password is not part of it. */
export function EditSupplierForm(props: SupplierFormProps<EditValues> & { supplier: User }) {
  const { supplier } = props
  const form = useForm<EditValues>({
    initialValues: {
      companyName: supplier.companyName ?? '',
      contactEmail: supplier.contactEmail ?? '',
      maxRetailers: supplier.maxRetailers ?? DEFAULT_MAX_RETAILERS,
    },
    validate: schemaResolver(editSchema, { sync: true }),
  })
  useRefusal(form, props.error)
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => props.onSubmit(editSchema.parse(values)),
        (errors) => focusFirstInvalid(form, errors),
      )}
    >
      <Stack gap="md">
        <TextInput
          label="Username"
          description="Username cannot be changed"
          readOnly
          variant="filled"
          value={supplier.username}
        />
        <CompanyFields form={form} />
        <FormFooter submitLabel="Save" isPending={props.isPending} onCancel={props.onCancel} />
      </Stack>
    </form>
  )
}

function CompanyFields({ form }: { form: Pick<UseFormReturnType<EditValues>, 'getInputProps'> }) {
  return (
    <>
      <TextInput label="Company Name" {...form.getInputProps('companyName')} />
      <TextInput label="Contact Email" type="email" {...form.getInputProps('contactEmail')} />
      <NumberInput
        label="Max Retailers"
        min={1}
        clampBehavior="none"
        allowDecimal={false}
        {...form.getInputProps('maxRetailers')}
      />
    </>
  )
}
