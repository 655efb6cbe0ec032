import { Checkbox, type CheckboxProps } from '@mantine/core'

interface EndFeedAddressesProps extends CheckboxProps {
  /** Whose addresses, as in "End my feed addresses". */
  label: string
}

/** Offers, beside a new password, to end what works without one. */
export function EndFeedAddresses(props: EndFeedAddressesProps) {
  return (
    <Checkbox
      description="They work without a password. Shops that read from them, and whoever sends files by an upload link, stop until they get new ones; so does every SFTP login."
      {...props}
    />
  )
}
