import { TextInput } from '@mantine/core'

import type { CompanyProfile } from '../../../shared/schemas/supplier'
import { PageForm } from '../../components/form/page-form'
import { Panel } from '../../components/layout/panel'
import { lazySchemaResolver } from '../../lib/lazy-schema-resolver'
import { showFailure, showSuccess } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { markSaved, useSavedForm } from '../../lib/use-saved-form'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'

/** The fields as typed; an empty text means that retailers see none. */
function toFormValues(profile: CompanyProfile) {
  return {
    companyName: profile.companyName ?? '',
    publicEmail: profile.publicEmail ?? '',
    publicPhone: profile.publicPhone ?? '',
    publicWebsite: profile.publicWebsite ?? '',
  }
}

/** The name and the contact that a supplier's retailers see. */
export function CompanyProfileForm({ profile }: { profile: CompanyProfile }) {
  const mayChange = useMay('company')
  const utils = trpc.useUtils()
  const form = useSavedForm(toFormValues(profile), {
    validate: lazySchemaResolver(
      async () => (await import('../../../shared/schemas/supplier')).updateCompanyProfileInput,
    ),
  })
  const update = trpc.suppliers.updateProfile.useMutation({
    onSuccess: (saved) => {
      showSuccess('Company profile updated')
      utils.suppliers.profile.setData(undefined, saved)
      markSaved(form, toFormValues(saved))
      form.reset()
      // The dashboard greets by the company's name.
      void utils.session.current.invalidate()
    },
    onError: (error) => showFailure(error),
  })
  useFieldErrors(form, update.error)
  return (
    <Panel title="Company profile" description="Shown to your retailers on their dashboard">
      <PageForm
        form={form}
        label="Company profile"
        hasSaveAlways
        whoChanges={mayChange ? undefined : 'Owners of your company change this.'}
        isPending={update.isPending}
        onSubmit={(values) => update.mutate(values)}
      >
        <TextInput
          label="Company Name"
          autoComplete="organization"
          {...form.getInputProps('companyName')}
        />
        <TextInput
          label="Contact Email"
          description="Optional. Your sign-up address is not shown unless you enter it here."
          type="email"
          autoComplete="email"
          {...form.getInputProps('publicEmail')}
        />
        <TextInput
          label="Contact Phone"
          description="Optional"
          type="tel"
          autoComplete="tel"
          {...form.getInputProps('publicPhone')}
        />
        <TextInput
          label="Website"
          description="Optional, for example shop.example"
          inputMode="url"
          autoComplete="url"
          {...form.getInputProps('publicWebsite')}
        />
      </PageForm>
    </Panel>
  )
}
