import { Checkbox, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'

import {
  type AfterReading,
  DEFAULT_TRANSFER,
  type TransferInput,
} from '../../../shared/schemas/transfer'
import { protocolOf } from '../../../shared/source-schemes'
import { KEY_TEXT } from './key-text'
import type { SourceForm, SourceUse } from './source-form'

interface TransferFieldsProps {
  form: SourceForm
  path: 'config' | 'overlay'
  source: { url: string; transfer?: TransferInput | undefined }
  use?: SourceUse
}

/** How a file is fetched from, or sent to, a server of SFTP or FTP; nothing for other addresses. */
export function TransferFields({ form, path, source, use = 'fetch' }: TransferFieldsProps) {
  const protocol = protocolOf(source.url)
  if (protocol !== 'sftp:' && protocol !== 'ftp:' && protocol !== 'ftps:') return undefined
  const transfer = { ...DEFAULT_TRANSFER, ...source.transfer }
  const change = (changes: TransferInput) => {
    form.clearFieldError(`${path}.transfer.hostKeys`)
    form.setFieldValue(`${path}.transfer`, { ...transfer, ...changes })
  }
  return (
    <Stack gap="md">
      {protocol === 'sftp:' && (
        <Textarea
          label="Server Keys"
          description={`The ${use === 'send' ? 'test' : 'preview'} shows the server’s key, to be confirmed before anything is sent. Or paste the fingerprint that its operator publishes, one a line.`}
          placeholder="SHA256:…"
          rows={2}
          spellCheck={false}
          autoCapitalize="none"
          styles={KEY_TEXT}
          value={transfer.hostKeys.join('\n')}
          error={findError(form, `${path}.transfer.hostKeys`)}
          onChange={(event) => change({ hostKeys: event.currentTarget.value.split('\n') })}
        />
      )}
      {protocol === 'ftp:' && (
        <>
          <Checkbox
            label="Use TLS"
            description="The connection is encrypted before anything is sent. The server must have a valid certificate."
            checked={transfer.usesTls}
            onChange={(event) => change({ usesTls: event.currentTarget.checked })}
          />
          {!transfer.usesTls && (
            <Text fz="sm" c="var(--sb-warn)">
              Without TLS, the password and the file travel unencrypted: anybody on the way can read
              and change them.
            </Text>
          )}
        </>
      )}
      {(protocol !== 'ftp:' || transfer.usesTls) && (
        <Checkbox
          label="Allow old encryption"
          description={`${OLD[protocol]} Only for a server that knows nothing newer.`}
          checked={transfer.allowsOld}
          onChange={(event) => change({ allowsOld: event.currentTarget.checked })}
        />
      )}
      {use === 'fetch' && path === 'config' && (
        <AfterReadingFields
          afterReading={transfer.afterReading}
          error={
            form.errors[`${path}.transfer.afterReading.folder`] ??
            form.errors[`${path}.transfer.afterReading`]
          }
          onChange={(afterReading) => {
            form.clearFieldError(`${path}.transfer.afterReading.folder`)
            change({ afterReading })
          }}
        />
      )}
    </Stack>
  )
}

const ACTIONS = [
  { value: 'leave', label: 'Leave the file there' },
  { value: 'move', label: 'Move it into a folder' },
  { value: 'delete', label: 'Delete it' },
] as const

interface AfterReadingProps {
  afterReading: AfterReading
  error: ReactNode
  onChange: (afterReading: AfterReading) => void
}

function AfterReadingFields({ afterReading, error, onChange }: AfterReadingProps) {
  const { action } = afterReading
  return (
    <SimpleGrid cols={{ base: 1, xs: action === 'move' ? 2 : 1 }} spacing="md">
      <Select
        label="After Publishing"
        description={
          action === 'leave'
            ? undefined
            : 'A file that is held waits for your decision. With nothing new there, nothing fails.'
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        allowDeselect={false}
        data={ACTIONS}
        value={action}
        error={action === 'move' ? undefined : error}
        onChange={(chosen) => {
          if (chosen === 'move') onChange({ action: chosen, folder: 'done' })
          else if (chosen === 'leave' || chosen === 'delete') onChange({ action: chosen })
        }}
      />
      {action === 'move' && (
        <TextInput
          label="Folder"
          description="Beside the file, unless it begins with /."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          spellCheck={false}
          autoCapitalize="none"
          value={afterReading.folder}
          error={error}
          onChange={(event) => onChange({ action, folder: event.currentTarget.value })}
        />
      )}
    </SimpleGrid>
  )
}

const OLD = {
  'sftp:': 'Methods with SHA-1 and CBC, which are not safe any more.',
  'ftp:': 'TLS 1.0 and 1.1, which are not safe any more.',
  'ftps:': 'TLS 1.0 and 1.1, which are not safe any more.',
}

/** That of the list, or of one of its lines. */
const findError = (form: TransferFieldsProps['form'], path: string) =>
  Object.entries(form.errors).find(([at]) => at === path || at.startsWith(`${path}.`))?.[1]
