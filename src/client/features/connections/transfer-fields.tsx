import { Checkbox, Stack, Text, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

import type { ConnectionFormValues } from '../../../shared/schemas/connection'
import { DEFAULT_TRANSFER, type TransferInput } from '../../../shared/schemas/transfer'
import { protocolOf } from '../../../shared/source-schemes'

interface TransferFieldsProps {
  form: UseFormReturnType<ConnectionFormValues>
  path: 'config' | 'overlay'
  source: { url: string; transfer?: TransferInput | undefined }
}

/** How a file is fetched from a server of SFTP or FTP; nothing for other addresses. */
export function TransferFields({ form, path, source }: TransferFieldsProps) {
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
          description="The preview shows the server’s key, to be confirmed before anything is sent. Or paste the fingerprint that its operator publishes, one a line."
          placeholder="SHA256:…"
          autosize
          minRows={1}
          maxRows={6}
          spellCheck={false}
          autoCapitalize="none"
          styles={{
            input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' },
          }}
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
    </Stack>
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
