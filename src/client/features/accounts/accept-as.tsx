import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertCircle } from '@tabler/icons-react'

import type { OpenedInvitation } from '../../../shared/schemas/invitation'
import type { CurrentUser } from '../../../shared/schemas/user'
import { PendingButton } from '../../components/feedback/pending-button'
import { needsOwnPassword } from '../../lib/error-message'
import { SignedInUserContext } from '../../session/current-user'
import { ChangePasswordDialog } from '../../session/lazy-dialogs'
import { memberRoleOf, personIdOf } from '../../session/may'
import { trpc } from '../../trpc'
import { FailureAlert } from './failure-alert'

interface AcceptAsProps {
  user: CurrentUser
  token: string
  onAccepted: (retailerId: number) => void
  /** Leads to the form of a new login. */
  onOther: () => void
}

/** For an owner of a retailer who is signed in: the company gets another supplier. */
export function AcceptAs({ user, token, onAccepted, onOther }: AcceptAsProps) {
  const [isOpen, dialog] = useDisclosure(false)
  const { retailers } = trpc.useUtils()
  const accept = trpc.invitations.acceptWithLogin.useMutation({
    onSuccess: ({ retailerId }) => {
      void retailers.invalidate()
      onAccepted(retailerId)
    },
  })
  const people = trpc.people.list.useQuery({})
  const others = people.data?.filter(({ isSelf }) => !isSelf) ?? []
  return (
    <Stack gap="md">
      <FailureAlert error={accept.error} title="The invitation could not be accepted" />
      {needsOwnPassword(accept.error) && (
        <SignedInUserContext value={user}>
          <Button variant="default" size="md" fullWidth onClick={dialog.open}>
            Change Password
          </Button>
          <ChangePasswordDialog
            isOpen={isOpen}
            onClose={() => {
              dialog.close()
              accept.reset()
            }}
          />
        </SignedInUserContext>
      )}
      <Text>
        You keep your login and all that you have. At the top of each page you then choose whose
        inventory you see.
      </Text>
      {others.length > 0 && (
        <Text c="dimmed">
          {others.map(({ displayName, username }) => displayName || username).join(', ')} will see
          it too: {others.length === 1 ? 'this person signs' : 'these people sign'} in for your
          company.
        </Text>
      )}
      <PendingButton
        size="md"
        fullWidth
        isPending={accept.isPending}
        onClick={() => accept.mutate({ token })}
      >
        Accept as {user.username}
      </PendingButton>
      <Text c="dimmed" size="sm">
        If somebody else gave you your password, change it before: whoever knows it will see the
        inventory of both suppliers.
      </Text>
      <Anchor component="button" type="button" underline="always" onClick={onOther}>
        Make a new login instead
      </Anchor>
    </Stack>
  )
}

/** Whether the login of somebody can accept an invitation, or why not. */
export function whyNotAs(
  { kind }: Pick<OpenedInvitation, 'kind'>,
  user: CurrentUser,
): string | undefined {
  if (user.viewedUntil) return 'Stop viewing as somebody else first.'
  if (kind !== 'RETAILER') return 'A login is for one company: this invitation takes a new one.'
  if (user.role === 'SUPPLIER') return 'A supplier’s login cannot become that of a retailer too.'
  if (user.role === 'SUPER_ADMIN') return 'An administrator’s login is for nothing else.'
  if (memberRoleOf(user) !== 'OWNER') {
    return 'Only an owner of your company can accept it with the login that you have. Pass the link on to one.'
  }
  return undefined
}

interface SignedInNoteProps {
  user: CurrentUser
  why: string
}

/** Why the login of whoever is signed in does not do. */
export const SignedInNote = ({ user, why }: SignedInNoteProps) => (
  <Alert key={personIdOf(user)} icon={<IconAlertCircle size={18} aria-hidden="true" />} mb="md">
    You are signed in as <bdi>{user.username}</bdi>. {why} Whoever accepts below gets another
    account, and is signed in to that.
  </Alert>
)
