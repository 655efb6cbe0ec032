import { useState } from 'react'

import type { ChangedSftpLogin, ChangeSftpLoginInput } from '../../../shared/schemas/sftp-login'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'

/** Whose login it is: files are put into a connection, or a retailer's is fetched. */
export type UseFor = 'connection' | 'retailer'

/** What a login is read and changed by. */
export type SftpLoginCalls = ReturnType<typeof useConnectionLogin>

/** Reads, makes, changes and revokes the login by which files are put. */
export function useConnectionLogin(id: number) {
  const { ofConnection } = trpc.useUtils().sftpLogins
  const after = useLoginChanges(() => ofConnection.invalidate({ id }))
  return {
    query: trpc.sftpLogins.ofConnection.useQuery({ id }),
    /** The password that has just been made. */
    password: after.password,
    create: trpc.sftpLogins.createOfConnection.useMutation(after.creating),
    change: trpc.sftpLogins.changeOfConnection.useMutation(after.changing),
    revoke: trpc.sftpLogins.revokeOfConnection.useMutation(after.revoking),
  }
}

/** The same of the login by which a retailer's file is fetched. */
export function useRetailerLogin(id: number): SftpLoginCalls {
  const { ofRetailer } = trpc.useUtils().sftpLogins
  const after = useLoginChanges(() => ofRetailer.invalidate({ id }))
  return {
    query: trpc.sftpLogins.ofRetailer.useQuery({ id }),
    password: after.password,
    create: trpc.sftpLogins.createOfRetailer.useMutation(after.creating),
    change: trpc.sftpLogins.changeOfRetailer.useMutation(after.changing),
    revoke: trpc.sftpLogins.revokeOfRetailer.useMutation(after.revoking),
  }
}

/**
 * What follows when a login has been made, changed or revoked: its password is known only until then.
 * @param refresh reads the login again
 */
function useLoginChanges(refresh: () => Promise<unknown>) {
  const [password, setPassword] = useState<string>()
  const take = async (
    made: ChangedSftpLogin,
    input: Pick<ChangeSftpLoginInput, 'password'>,
  ): Promise<void> => {
    await refresh()
    // One that was replaced or removed does not work any more.
    if (made.password !== null || input.password === 'none') setPassword(made.password ?? undefined)
  }
  return {
    password,
    creating: {
      onSuccess: take,
      onError: (error: unknown) => showFailure(error, 'The SFTP login could not be made'),
    },
    changing: {
      onSuccess: take,
      onError: (error: unknown) => showFailure(error, 'The SFTP login could not be changed'),
    },
    revoking: {
      async onSuccess() {
        setPassword(undefined)
        await refresh()
        showSuccess('SFTP login revoked')
      },
      onError: (error: unknown) => showFailure(error, 'The SFTP login could not be revoked'),
    },
  }
}
