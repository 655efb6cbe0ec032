import { NumberInput, TextInput } from '@mantine/core'
import { schemaResolver, useForm, type UseFormReturnType } from '@mantine/form'
import type { z } from 'zod'

import { DEFAULT_MAX_RETAILERS } from '../../../shared/constants'
import { supplierDetailsSchema } from '../../../shared/schemas/supplier'
import { accountFields, type User } from '../../../shared/schemas/user'
import { FormFooter } from '../../components/form/form-footer'
import { FixedUsername, UsernameInput } from '../../components/form/login-fields'
import { NewPasswordInput } from '../../components/form/new-password-input'
import { ValidatedForm } from '../../components/form/validated-form'
import { useFieldErrors } from '../../lib/use-field-errors'
import { usePasswordRules } from '../../session/password-rules'

type AddValues = z.infer<typeof accountFields>
type EditValues = z.infer<typeof supplierDetailsSchema>

interface SupplierFormProps<Values> {
  isPending: boolean
  /** Error of the last save; its field errors are shown under the fields. */
  error: unknown
  onSubmit: (values: Values) => void
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
    validate: schemaResolver(accountFields, { sync: true }),
  })
  useFieldErrors(form, props.error)
  return (
    <ValidatedForm form={form} onSubmit={(values) => props.onSubmit(accountFields.parse(values))}>
      <UsernameInput autoComplete="off" {...form.getInputProps('username')} />
      <NewPasswordInput
        {...usePasswordRules(form.values.username, form.values.companyName)}
        {...form.getInputProps('password')}
      />
      <CompanyFields form={form} />
      <FormFooter submitLabel="Add Supplier" isPending={props.isPending} />
    </ValidatedForm>
  )
}

/** The edit form: the username is read-only and there is no password. */
export function EditSupplierForm(props: SupplierFormProps<EditValues> & { supplier: User }) {
  const { supplier } = props
  const form = useForm<EditValues>({
    initialValues: {
      companyName: supplier.companyName ?? '',
      contactEmail: supplier.contactEmail ?? '',
      maxRetailers: supplier.maxRetailers ?? DEFAULT_MAX_RETAILERS,
    },
    validate: schemaResolver(supplierDetailsSchema, { sync: true }),
  })
  useFieldErrors(form, props.error)
  return (
    <ValidatedForm
      form={form}
      onSubmit={(values) => props.onSubmit(supplierDetailsSchema.parse(values))}
    >
      <FixedUsername username={supplier.username} />
      <CompanyFields form={form} />
      <FormFooter submitLabel="Save" isPending={props.isPending} />
    </ValidatedForm>
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
