import { Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'

import type { SftpServer } from '../../../shared/schemas/sftp-login'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { CopyableCode } from '../../components/layout/copyable-code'
import { Fingerprints } from './fingerprints'
import { LoginKeys } from './login-keys'
import { Section, type LoginPartProps } from './login-part'
import { LoginPassword } from './login-password'
import { FETCHED_FILE, listSftpCommands } from './sftp-commands'
import type { UseFor } from './use-sftp-login'

import classes from './sftp-login.module.css'

interface ShownLoginProps extends LoginPartProps {
  useFor: UseFor
  /** Null where the server was switched off after the login was made. */
  server: SftpServer | null
}

/** A login with all that a program needs to be told. */
export function ShownLogin(props: ShownLoginProps) {
  const { useFor, id, calls, server, login, mayChange } = props
  const { username, passwordEnd, lastUsedAt, lastClient } = login
  return (
    <Stack gap="lg">
      {calls.password !== undefined && (
        <output className={classes.new}>
          <Text fw={600}>Copy the password now: it is shown only once</Text>
          <CopyableCode code={calls.password} label="the password" />
        </output>
      )}
      <Group justify="space-between" gap="4px 16px">
        {server ? (
          <StatusBadge tone="good">Active</StatusBadge>
        ) : (
          <StatusBadge tone="warn">The SFTP server is switched off</StatusBadge>
        )}
        <span className={classes.note}>
          {lastUsedAt ? (
            <>
              Used <TimeAgo instant={lastUsedAt} />
              {lastClient && ` with ${lastClient}`}
            </>
          ) : (
            'Not used yet'
          )}
        </span>
      </Group>
      <dl className={classes.fields}>
        {server && (
          <>
            <Field label="Host" value={server.host} />
            <Field label="Port" value={String(server.port)} />
          </>
        )}
        <Field label="User name" value={username} />
        {useFor === 'retailer' && <Field label="File" value={FETCHED_FILE} isLong />}
      </dl>
      <LoginPassword {...{ id, calls, login, mayChange }} />
      <LoginKeys {...{ id, calls, login, mayChange }} />
      {server && (
        <>
          <ServerKeys server={server} />
          <Examples
            useFor={useFor}
            server={server}
            login={login}
            key={String(passwordEnd === null)}
          />
        </>
      )}
    </Stack>
  )
}

interface FieldProps {
  label: string
  value: string
  /** Takes a line of its own. */
  isLong?: boolean
}

function Field({ label, value, isLong }: FieldProps) {
  return (
    <div data-long={isLong || undefined}>
      <dt>{label}</dt>
      <dd>
        <CopyableCode code={value} label={`the ${label.toLowerCase()}`} />
      </dd>
    </div>
  )
}

function ServerKeys({ server }: { server: SftpServer }) {
  return (
    <Section title="Key of the server">
      <p className={classes.note}>
        A program shows it when it connects for the first time. Go on only if it is the same.
      </p>
      <Fingerprints keys={server.hostKeys} />
    </Section>
  )
}

const FIELDS_OF_PROGRAMS = 'WinSCP, FileZilla and others'

function Examples({
  useFor,
  server,
  login,
}: Pick<ShownLoginProps, 'useFor' | 'login'> & { server: SftpServer }) {
  const { username, passwordEnd } = login
  const commands = listSftpCommands({ useFor, server, username, hasPassword: passwordEnd !== null })
  const [program, setProgram] = useState(commands[0].program)
  const chosen = commands.find((one) => one.program === program)
  return (
    <Section title={useFor === 'connection' ? 'How a file is sent' : 'How the file is fetched'}>
      <NativeSelect
        label="With"
        maw={260}
        data={[...commands.map((one) => one.program), FIELDS_OF_PROGRAMS]}
        value={program}
        onChange={(event) => setProgram(event.currentTarget.value)}
      />
      {chosen ? (
        <>
          <p className={classes.note}>{chosen.note}</p>
          <CopyableCode code={chosen.code} label={`the example for ${program}`} />
        </>
      ) : (
        <p className={classes.note}>
          Make a new site with the protocol SFTP, and copy host, port and user name from above.
          {passwordEnd === null
            ? ' Choose the file of the private key under Advanced, SSH, Authentication in WinSCP, or as logon type Key file in FileZilla.'
            : ' In FileZilla the logon type is Normal.'}
        </p>
      )}
      {useFor === 'connection' && (
        <p className={classes.note}>
          A file counts when it has arrived whole. Under a temporary name, such as one that ends in{' '}
          <code>.filepart</code>, <code>.part</code> or <code>.tmp</code>, it waits until it is
          renamed. What became of it then stands beside it, as <code>stock.csv.PUBLISHED.txt</code>.
        </p>
      )}
    </Section>
  )
}
