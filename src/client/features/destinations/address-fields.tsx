import { NativeSelect, TextInput } from '@mantine/core'

import { WEB_METHODS, type DestinationKind } from '../../../shared/destinations'
import type { Destination } from '../../../shared/schemas/destination'
import { AccessFields } from '../../components/form/access-fields'
import { TransferFields } from '../../components/form/transfer-fields'
import { maskedAddressHint } from '../../lib/masked-address-hint'
import { splitAddress } from '../../lib/source-access'
import { completeAddress } from './destination-values'
import type { DestinationFormState } from './use-destination-form'

const HINTS: Record<Exclude<DestinationKind, 'mail'>, string> = {
  sftp: 'The server and the folder, such as sftp://files.example.com/in/',
  ftp: 'The server and the folder, such as ftps://files.example.com/in/. For ftp:// TLS is asked for below.',
  s3: 'The bucket and the folder, such as s3://stock/in/',
  web: 'Where the file is sent. After a slash at its end, the name of the file is added. Redirects are not followed.',
}

interface AddressFieldsProps {
  form: DestinationFormState
  kind: Exclude<DestinationKind, 'mail'>
  saved: Destination['config']
}

/** Where files are sent to, and what opens it. */
export function AddressFields({ form, kind, saved }: AddressFieldsProps) {
  const { config } = form.values
  const complete = () => {
    const url = completeAddress(config.url, kind)
    if (url !== config.url) form.setFieldValue('config.url', url)
    const parts = splitAddress({ ...config, url })
    if (parts) form.setFieldValue('config', parts)
  }
  return (
    <>
      <TextInput
        label="Address"
        type="url"
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={maskedAddressHint(saved?.url) ?? HINTS[kind]}
        {...form.getInputProps('config.url')}
        onKeyDown={(event) => event.key === 'Enter' && complete()}
        onBlur={complete}
      />
      {kind === 'web' && (
        <NativeSelect label="Method" data={WEB_METHODS} {...form.getInputProps('method')} />
      )}
      <AccessFields form={form} path="config" source={config} saved={saved} use="send" />
      <TransferFields form={form} path="config" source={config} use="send" />
    </>
  )
}
