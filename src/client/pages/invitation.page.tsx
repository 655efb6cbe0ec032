import { Button, Divider, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconUnlink } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'

import type { OpenedInvitation } from '../../shared/schemas/invitation'
import { EmptyState, LoadError } from '../components/feedback/message-state'
import { PageSpinner } from '../components/feedback/page-spinner'
import { ButtonLink } from '../components/layout/links'
import { AcceptAs, SignedInNote, whyNotAs } from '../features/accounts/accept-as'
import { EntryFrame } from '../features/accounts/entry-frame'
import { GoogleButton } from '../features/accounts/google-button'
import { GooglePending } from '../features/accounts/google-pending'
import { InvitationForm } from '../features/accounts/invitation-form'
import { SignInHere } from '../features/accounts/sign-in-here'
import { useAcceptInvitation } from '../features/accounts/use-accept-invitation'
import { useSecretLink } from '../features/accounts/use-secret-link'
import { errorMessage, errorStatus } from '../lib/error-message'
import { formatDate } from '../lib/time-format'
import { useKeptFocus } from '../lib/use-kept-focus'
import { useSession } from '../session/current-user'
import { usePageTitle } from '../session/page-title'
import { homePath } from '../session/role-paths'
import { trpc } from '../trpc'

const NOT_FOUND = 404
const INCOMPLETE =
  'The address is not complete. Open the whole link of the mail, or ask whoever invited you for a new one.'

/** The page of an invitation's link: who invites to what, and the account of whoever accepts. */
export function InvitationPage() {
  usePageTitle('Invitation')
  const { client } = trpc.useUtils()
  const { token, query } = useSecretLink('invitation', (secret) =>
    client.invitations.open.mutate({ token: secret }),
  )
  if (token === undefined) return <Broken>{INCOMPLETE}</Broken>
  if (query.data) return <Accepting token={token} invitation={query.data} />
  if (query.isPending) return <PageSpinner />
  if (errorStatus(query.error) === NOT_FOUND) return <Broken>{errorMessage(query.error)}</Broken>
  return (
    <EntryFrame>
      <VisuallyHidden component="h1">Invitation</VisuallyHidden>
      <LoadError title="The invitation could not be opened" query={query} />
    </EntryFrame>
  )
}

/** A link that does not work, with a way on. */
const Broken = ({ children }: { children: ReactNode }) => (
  <EntryFrame>
    <VisuallyHidden component="h1">Invitation</VisuallyHidden>
    <EmptyState
      icon={IconUnlink}
      title="This link does not work"
      action={
        <ButtonLink to="/auth" variant="default">
          Login
        </ButtonLink>
      }
    >
      {children}
    </EmptyState>
  </EntryFrame>
)

interface AcceptingProps {
  token: string
  invitation: OpenedInvitation
}

function Accepting({ token, invitation }: AcceptingProps) {
  const navigate = useNavigate()
  const info = trpc.app.info.useQuery().data
  const asksEmail = invitation.email === null && invitation.kind !== 'MEMBER'
  const acceptance = useAcceptInvitation(token, asksEmail)
  const { google } = acceptance
  const isInWindow = google.waitsFor === 'window'
  const isHidden = isInWindow || google.waitsFor === 'server'
  useKeptFocus(isHidden)
  const accepted = acceptance.user
  useEffect(() => {
    if (accepted) void navigate({ to: homePath(accepted.role), replace: true })
  }, [accepted, navigate])
  if (accepted) return <PageSpinner />
  return (
    <>
      {isInWindow && <GooglePending onCancel={google.cancel} />}
      {google.waitsFor === 'server' && <PageSpinner label="Signing in" />}
      <div hidden={isHidden}>
        <EntryFrame>
          <Title order={1}>
            {invitation.inviter ? (
              <>
                <bdi>{invitation.inviter}</bdi> invites you
              </>
            ) : (
              'You are invited'
            )}
          </Title>
          <Text c="dimmed" mt={4} mb="xl">
            <Purpose {...invitation} /> Open until{' '}
            <span style={{ whiteSpace: 'nowrap' }}>{formatDate(invitation.expiresAt)}.</span>
          </Text>
          <Ways token={token} invitation={invitation}>
            <InvitationForm acceptance={acceptance} asksEmail={asksEmail} />
            {info?.isGoogleConfigured && (
              <>
                <Divider label="Or continue with" my="lg" />
                <GoogleButton isMissing={false} onClick={google.start} />
              </>
            )}
          </Ways>
        </EntryFrame>
      </div>
    </>
  )
}

function Purpose({ kind, name, role, inviter }: OpenedInvitation) {
  if (kind === 'RETAILER') {
    return (
      <>
        Choose how you sign in to get the inventory of <bdi>{inviter}</bdi> for <bdi>{name}</bdi>.
      </>
    )
  }
  if (kind === 'SUPPLIER') {
    return (
      <>
        Choose how you sign in to share the inventory of <bdi>{name}</bdi> with your retailers.
      </>
    )
  }
  return (
    <>
      <bdi>{name}</bdi>, choose how you sign in for <bdi>{inviter}</bdi>
      {role && `, as ${role.toLowerCase()}`}.
    </>
  )
}

interface WaysProps extends AcceptingProps {
  /** The form of a new login. */
  children: ReactNode
}

/** A new login, or, for another supplier of a retailer, the one that there is. */
function Ways({ token, invitation, children }: WaysProps) {
  const user = useSession().data
  const navigate = useNavigate()
  const [way, setWay] = useState<'known' | 'sign-in' | 'new'>('known')
  const why = user && whyNotAs(invitation, user)
  if (user && !why && way !== 'new') {
    return (
      <AcceptAs
        user={user}
        token={token}
        onAccepted={(relation) =>
          void navigate({ to: '/retailer', search: { relation }, replace: true })
        }
        onOther={() => setWay('new')}
      />
    )
  }
  if (!user && way === 'sign-in') {
    return <SignInHere back="Make a new login instead" onBack={() => setWay('new')} />
  }
  return (
    <>
      {user && why && <SignedInNote user={user} why={why} />}
      {children}
      {invitation.kind === 'RETAILER' ? (
        !why && (
          <>
            <Divider label="Or" my="lg" />
            <Button
              variant="default"
              size="md"
              fullWidth
              onClick={() => setWay(user ? 'known' : 'sign-in')}
            >
              {user ? `Accept as ${user.username}` : 'I have a login: sign in'}
            </Button>
          </>
        )
      ) : (
        <Text c="dimmed" size="sm" mt="lg">
          A login is for one company. Whoever has one already chooses another username here.
        </Text>
      )}
    </>
  )
}
