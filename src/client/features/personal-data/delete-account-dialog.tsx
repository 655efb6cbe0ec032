import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { z } from 'zod'

import { ACCOUNT_GRACE_DAYS } from '../../../shared/constants'
import { formatCountOf } from '../../../shared/format'
import { deleteAccountInput, type OwnAccount } from '../../../shared/schemas/personal-data'
import { DialogActions } from '../../components/dialog/dialog-actions'
import { FormDialog } from '../../components/dialog/form-dialog'
import type { DialogProps } from '../../components/dialog/lazy-dialog'
import { LoadError } from '../../components/feedback/message-state'
import { PageSpinner } from '../../components/feedback/page-spinner'
import { FormFooter } from '../../components/form/form-footer'
import { PasswordInput } from '../../components/form/login-fields'
import { ValidatedForm } from '../../components/form/validated-form'
import { showFieldErrors } from '../../lib/form-errors'
import { formatDate } from '../../lib/time-format'
import { showFailure, showSuccess } from '../../lib/toast'
import { useIsConfirming } from '../../session/confirmation'
import { useAdoptIdentity, useSignedInUser } from '../../session/current-user'
import { trpc } from '../../trpc'

/** Deletes the own account, or the company with it. */
export function DeleteAccountDialog({ isOpen, onClose }: DialogProps) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Delete account"
      // While the user is asked to confirm, Escape only closes that.
      closeOnEscape={!useIsConfirming()}
    >
      <WithOwnAccount>
        {(account) =>
          account.what === 'nothing' ? (
            <LastAdministrator onClose={onClose} />
          ) : (
            <DeletionForm account={account} onClose={onClose} />
          )
        }
      </WithOwnAccount>
    </FormDialog>
  )
}

interface DeleteSupplierDialogProps extends DialogProps {
  supplier: { id: number; name: string; retailerCount: number }
}

/** Deletes a supplier, by an administrator. */
export function DeleteSupplierDialog({ isOpen, onClose, supplier }: DeleteSupplierDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Delete supplier">
      <WithOwnAccount>
        {(account) => <DeletionForm account={account} supplier={supplier} onClose={onClose} />}
      </WithOwnAccount>
    </FormDialog>
  )
}

function WithOwnAccount({ children }: { children: (account: OwnAccount) => ReactNode }) {
  const query = trpc.personalData.ownAccount.useQuery()
  if (query.data) return children(query.data)
  if (!query.isError) return <PageSpinner />
  return <LoadError isCompact title="Your account could not be loaded" query={query} />
}

function LastAdministrator({ onClose }: { onClose: () => void }) {
  return (
    <Stack gap="sm">
      <Text>You are the only administrator, so this account cannot be deleted.</Text>
      <Text c="dimmed">Whoever runs this installation can create another administrator first.</Text>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Stack>
  )
}

interface DeletionFormProps {
  account: OwnAccount
  supplier?: DeleteSupplierDialogProps['supplier']
  onClose: () => void
}

type DeletionInput = z.input<typeof deleteAccountInput>

function DeletionForm({ account, supplier, onClose }: DeletionFormProps) {
  const user = useSignedInUser()
  const isOwner = user.member === undefined || user.member.role === 'OWNER'
  const mayChoose = !supplier && account.what === 'person' && isOwner && user.role !== 'SUPER_ADMIN'
  const form = useForm<DeletionInput>({
    initialValues: { confirmation: '', ...(mayChoose && { scope: 'person' }) },
    validate: schemaResolver(deleteAccountInput, { sync: true }),
  })
  const finish = useFinish(supplier !== undefined, onClose)
  const remove = trpc.personalData.deleteAccount.useMutation({
    onSuccess: ({ deletionAt }) => finish(deletionAt),
    onError: (error) => {
      showFailure(error)
      showFieldErrors(form, error)
    },
  })
  const isCompany =
    supplier !== undefined || account.what === 'company' || form.values.scope === 'company'
  return (
    <ValidatedForm
      form={form}
      onSubmit={(values) =>
        remove.mutate({ ...values, ...(supplier && { companyId: supplier.id }) })
      }
    >
      {isCompany ? (
        <AboutCompany
          name={supplier?.name ?? account.companyName}
          retailerCount={supplier?.retailerCount ?? account.retailerCount}
          isSupplier={supplier !== undefined || user.role === 'SUPPLIER'}
        />
      ) : (
        <AboutPerson username={user.username} />
      )}
      {mayChoose && (
        <Checkbox
          label="Delete the whole company, with all its people"
          checked={form.values.scope === 'company'}
          onChange={({ currentTarget }) =>
            form.setFieldValue('scope', currentTarget.checked ? 'company' : 'person')
          }
        />
      )}
      {account.confirmedBy === 'password' ? (
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          {...form.getInputProps('confirmation')}
        />
      ) : (
        <TextInput
          label={`Type ${user.username} to confirm`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('confirmation')}
        />
      )}
      <FormFooter
        submitLabel={isCompany ? `Delete in ${ACCOUNT_GRACE_DAYS} days` : 'Delete now'}
        isPending={remove.isPending}
        isDestructive
      />
    </ValidatedForm>
  )
}

function AboutPerson({ username }: { username: string }) {
  return (
    <Text style={{ overflowWrap: 'anywhere' }}>
      The login{' '}
      <strong>
        <bdi>{username}</bdi>
      </strong>{' '}
      is deleted at once, with its e-mail address, alerts and sign-ins; this cannot be undone. The
      activity log keeps what was done, under a pseudonym.
    </Text>
  )
}

function AboutCompany(props: { name: string; retailerCount: number; isSupplier: boolean }) {
  const { name, retailerCount, isSupplier } = props
  const others = retailerCount > 0 ? ` and ${formatCountOf(retailerCount, 'retailer')}` : ''
  return (
    <Stack gap="xs">
      <Text style={{ overflowWrap: 'anywhere' }}>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        is deleted in {ACCOUNT_GRACE_DAYS} days, with all its people{others}: files, addresses,
        settings and histories.
      </Text>
      <Text c="dimmed">
        {isSupplier
          ? 'Its retailers are told now, and keep their file and their feed addresses until then.'
          : 'Its supplier is told now. Until then the file and its addresses work as before.'}{' '}
        An owner or an administrator can keep the account until that day.
      </Text>
    </Stack>
  )
}

/** Whoever is gone is signed out; of a company that waits, the banner tells. */
function useFinish(isSupplier: boolean, onClose: () => void) {
  const { session, suppliers } = trpc.useUtils()
  const navigate = useNavigate()
  const adoptIdentity = useAdoptIdentity()
  return (deletionAt: string | null) => {
    if (deletionAt === null) {
      void navigate({ to: '/auth', replace: true, ignoreBlocker: true })
      adoptIdentity(null)
      showSuccess('Your account is deleted')
      return
    }
    showSuccess(`To be deleted on ${formatDate(deletionAt)}`)
    onClose()
    // The button that opened the dialog is gone.
    document.querySelector('h1')?.focus()
    void (isSupplier ? suppliers.get.invalidate() : session.current.invalidate())
  }
}
