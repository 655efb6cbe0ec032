import type { Person } from '../../../shared/schemas/person'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import { displayNameOf } from '../../lib/display-name'
import { ChangeRoleDialog } from './change-role-dialog'
import type { CompanyKind } from './role-words'
import type { usePersonActions } from './use-person-actions'

interface PersonDialogsProps {
  kind: CompanyKind
  companyId: number | undefined
  actions: ReturnType<typeof usePersonActions>
}

/** The dialogs about a person of the list. */
export function PersonDialogs({ kind, companyId, actions }: PersonDialogsProps) {
  const { role, setRole, closing, setActive, removal, remove, factor, turnOffFactor } = actions
  return (
    <>
      <ChangeRoleDialog
        isOpen={role.isOpen}
        person={role.subject}
        kind={kind}
        isPending={setRole.isPending}
        onChange={(chosen) =>
          role.subject && setRole.mutate({ personId: role.subject.id, role: chosen, companyId })
        }
        onClose={role.close}
      />
      <ConfirmDialog
        isOpen={closing.isOpen}
        onClose={closing.close}
        title="Take access away"
        confirmLabel="Take access away"
        isPending={setActive.isPending}
        onConfirm={() =>
          closing.subject &&
          setActive.mutate({ personId: closing.subject.id, isActive: false, companyId })
        }
      >
        {closing.subject && <TakingAccess person={closing.subject} />}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={removal.isOpen}
        onClose={removal.close}
        title={removal.subject?.isSelf ? 'Remove yourself' : 'Remove the person'}
        confirmLabel="Remove"
        isPending={remove.isPending}
        onConfirm={() =>
          removal.subject && remove.mutate({ personId: removal.subject.id, companyId })
        }
      >
        {removal.subject && <Removing person={removal.subject} />}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={factor.isOpen}
        onClose={factor.close}
        title={
          factor.subject?.hasSecondFactor ? 'Turn off the second factor' : 'Remove the passkeys'
        }
        confirmLabel={factor.subject?.hasSecondFactor ? 'Turn off' : 'Remove'}
        isPending={turnOffFactor.isPending}
        onConfirm={() =>
          factor.subject && turnOffFactor.mutate({ personId: factor.subject.id, companyId })
        }
      >
        {factor.subject && <EndingFactors person={factor.subject} />}
      </ConfirmDialog>
    </>
  )
}

const TakingAccess = ({ person }: { person: Person }) =>
  person.isSelf ? (
    <>You are signed out at once, and can sign in again only when another owner gives you access.</>
  ) : (
    <>
      <bdi>{displayNameOf(person)}</bdi> is signed out at once, and cannot sign in until access is
      given again. Invitations that this person has made end.
    </>
  )

const EndingFactors = ({ person }: { person: Person }) =>
  person.hasSecondFactor ? (
    <>
      The password alone is then enough to sign in as <bdi>{displayNameOf(person)}</bdi>, who is
      told of it.
      {person.passkeyCount > 0 && ' The passkeys go too, which somebody else may have now.'} Do so
      only if you know that both the app and the recovery codes are lost.
    </>
  ) : (
    <>
      <bdi>{displayNameOf(person)}</bdi> then signs in with the password only, and is told of it. Do
      so if a device with a passkey is lost.
    </>
  )

function Removing({ person }: { person: Person }) {
  const name = <bdi>{displayNameOf(person)}</bdi>
  return (
    <>
      {person.isSelf ? 'You are' : <>{name} is</>} signed out at once, and cannot sign in any more.{' '}
      {person.isFirst
        ? 'The company keeps everything that it has, with its other owners.'
        : 'Alerts and open invitations of this person end.'}{' '}
      What was done stays in the activity, and feed addresses go on.
    </>
  )
}
