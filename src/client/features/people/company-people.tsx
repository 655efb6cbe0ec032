import { IconUserPlus, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'

import type { Person } from '../../../shared/schemas/person'
import { lazyDialog } from '../../components/dialog/lazy-dialog'
import { lazyPart } from '../../components/feedback/lazy-part'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { Panel } from '../../components/layout/panel'
import { PanelButton } from '../../components/layout/panel-button'
import { RecordsDownload } from '../../components/layout/records-download'
import { MEMBER_ROLE_LABELS } from '../../lib/member-roles'
import { useDialogSubject } from '../../lib/use-dialog-subject'
import { useSignedInUser } from '../../session/current-user'
import { useMay } from '../../session/may'
import { useViewAs } from '../../session/use-view-as'
import { trpc } from '../../trpc'
import { PeopleTable } from './people-table'
import { PersonDialogs } from './person-dialogs'
import type { CompanyKind } from './role-words'
import { usePersonActions } from './use-person-actions'

import classes from './people.module.css'

const InvitePersonDialog = lazyDialog(
  async () => (await import('./invite-person-dialog')).InvitePersonDialog,
)

const PersonSessionsDialog = lazyDialog(
  async () => (await import('./person-sessions-dialog')).PersonSessionsDialog,
)

const PersonApiKeysDialog = lazyDialog(
  async () => (await import('./person-api-keys-dialog')).PersonApiKeysDialog,
)

/** Most companies have no invitations. */
const InvitationsPanel = lazyPart(
  async () => (await import('./invitations-panel')).InvitationsPanel,
  { name: 'invitations', height: 0 },
)

interface CompanyPeopleProps {
  kind: CompanyKind
  /** For administrators: whose people; otherwise they are those of the own company. */
  companyId?: number
}

/** Who signs in for a company, and who is invited to. Owners and administrators change both. */
export function CompanyPeople({ kind, companyId }: CompanyPeopleProps) {
  const mayChange = useMay('company')
  const [isInviting, setInviting] = useState(false)
  const list = trpc.people.list.useQuery({ companyId })
  const invitations = trpc.invitations.people.useQuery({ companyId }, { enabled: mayChange })
  const hasInvitations = invitations.isError || (invitations.data?.invitations.length ?? 0) > 0
  const isOnly = list.data?.length === 1 && mayChange && !hasInvitations
  return (
    <div className={classes.panels}>
      <Panel
        title="Who signs in"
        description="Each with a password of their own"
        actions={
          <>
            <RecordsDownload rows={list.data} columns={CSV_COLUMNS} fileName="people.csv" />
            {mayChange && (
              <PanelButton icon={IconUserPlus} onClick={() => setInviting(true)}>
                Invite a person
              </PanelButton>
            )}
          </>
        }
        isFlush
      >
        {list.isError && !list.data ? (
          <LoadError isCompact title="The people could not be loaded" query={list} />
        ) : (
          <People people={list.data} kind={kind} companyId={companyId} />
        )}
        {isOnly && <OnlyOne isOwn={companyId === undefined} />}
      </Panel>
      {mayChange && hasInvitations && (
        <>
          <InvitationsPanel query={invitations} shows="pending" of="people" />
          <InvitationsPanel query={invitations} shows="ended" of="people" />
        </>
      )}
      <InvitePersonDialog
        isOpen={isInviting}
        kind={kind}
        companyId={companyId}
        hasMail={invitations.data?.hasMail ?? true}
        onClose={() => setInviting(false)}
      />
    </div>
  )
}

interface PeopleProps {
  people: readonly Person[] | undefined
  kind: CompanyKind
  companyId: number | undefined
}

function People({ people, kind, companyId }: PeopleProps) {
  const mayChange = useMay('company')
  const isAdministrator = useSignedInUser().role === 'SUPER_ADMIN'
  const viewAs = useViewAs()
  const actions = usePersonActions(companyId)
  const sessions = useDialogSubject<Person>()
  const keys = useDialogSubject<Person>()
  const { setActive } = actions
  const give = setActive.isPending ? setActive.variables : undefined
  return (
    <>
      <PeopleTable
        people={people}
        changes={
          mayChange
            ? {
                savingId: give?.isActive ? give.personId : undefined,
                onChangeRole: actions.role.open,
                onGiveAccess: ({ id }) =>
                  setActive.mutate({ personId: id, isActive: true, companyId }),
                onTakeAccess: actions.closing.open,
                onRemove: actions.removal.open,
                onShowKeys: keys.open,
                onTurnOffSecondFactor: actions.factor.open,
              }
            : undefined
        }
        viewing={
          isAdministrator
            ? {
                viewedId: viewAs.isPending ? viewAs.variables.userId : undefined,
                onView: ({ id }) => viewAs.mutate({ userId: id }),
                onShowSessions: sessions.open,
              }
            : undefined
        }
      />
      <PersonDialogs kind={kind} companyId={companyId} actions={actions} />
      <PersonSessionsDialog
        isOpen={sessions.isOpen}
        person={sessions.subject}
        onClose={sessions.close}
      />
      <PersonApiKeysDialog isOpen={keys.isOpen} person={keys.subject} onClose={keys.close} />
    </>
  )
}

const OnlyOne = ({ isOwn }: { isOwn: boolean }) => (
  <EmptyState
    isCompact
    icon={IconUsers}
    title={isOwn ? 'You are the only one who signs in' : 'Nobody else signs in for this company'}
  >
    {isOwn
      ? 'Invite colleagues instead of sharing a password. Each gets a role, and can be removed again.'
      : 'Its owners invite others, and so can you.'}
  </EmptyState>
)

const CSV_COLUMNS = {
  username: ({ username }: Person) => username,
  name: ({ displayName }: Person) => displayName,
  role: ({ role }: Person) => MEMBER_ROLE_LABELS[role],
  access: ({ isActive }: Person) => (isActive ? 'yes' : 'no'),
  'second factor': ({ hasSecondFactor }: Person) => (hasSecondFactor ? 'yes' : 'no'),
  passkeys: ({ passkeyCount }: Person) => passkeyCount,
  'last seen': ({ lastSeenAt }: Person) => lastSeenAt,
  'e-mail': ({ mailAddress }: Person) => mailAddress,
}
