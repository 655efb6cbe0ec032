import { Anchor, Text } from '@mantine/core'

import type { CompanyProfile } from '../../../shared/schemas/supplier'
import { storeUrlToHref } from '../../../shared/web-address'
import { ExternalLink } from '../../components/layout/external-link'
import { TextLink } from '../../components/layout/links'
import { Truncated } from '../../components/layout/truncated'
import { useRelation } from '../../session/relation'
import { trpc } from '../../trpc'

import classes from './supplier-contact.module.css'

/** How to reach the signed-in retailer's supplier, as far as that has published it. */
export function SupplierContact() {
  const { data } = trpc.retailers.supplier.useQuery(useRelation())
  return <SupplierContactList profile={data} />
}

/** Where a late file is asked about: the first of what the supplier has published. */
export function AskSupplier() {
  const { data } = trpc.retailers.supplier.useQuery(useRelation())
  const { publicEmail, publicPhone, publicWebsite } = data ?? {}
  const website = publicWebsite ? storeUrlToHref(publicWebsite) : undefined
  if (publicEmail) return <AskLink href={mailTo(publicEmail)} text="Ask your supplier" />
  if (publicPhone) return <AskLink href={callTo(publicPhone)} text="Call your supplier" />
  if (website) return <ExternalLink href={website}>Ask your supplier</ExternalLink>
  return (
    <TextLink inherit to="/help">
      What to do
    </TextLink>
  )
}

const AskLink = ({ href, text }: { href: string; text: string }) => (
  <Anchor inherit href={href}>
    {text}
  </Anchor>
)

const mailTo = (address: string) => `mailto:${encodeURI(address).replaceAll('?', '%3F')}`
const callTo = (phone: string) => `tel:${phone.replaceAll(/[^\d+]/g, '')}`

/** @param profile undefined or null while it is not known */
export function SupplierContactList({ profile }: { profile: CompanyProfile | null | undefined }) {
  const { publicEmail, publicPhone, publicWebsite } = profile ?? {}
  const website = publicWebsite ? storeUrlToHref(publicWebsite) : undefined
  if (!publicEmail && !publicPhone && !website) {
    return (
      <Text c="dimmed" fz="sm">
        Your supplier
      </Text>
    )
  }
  return (
    <ul className={classes.list} aria-label="Contact of your supplier">
      {publicEmail && (
        <li>
          <ContactLink href={mailTo(publicEmail)} text={publicEmail} />
        </li>
      )}
      {publicPhone && (
        <li>
          <ContactLink href={callTo(publicPhone)} text={publicPhone} />
        </li>
      )}
      {publicWebsite && website && (
        <li>
          <ExternalLink href={website}>{publicWebsite}</ExternalLink>
        </li>
      )}
    </ul>
  )
}

function ContactLink({ href, text }: { href: string; text: string }) {
  return (
    <Truncated text={text} dir="ltr">
      <Anchor href={href}>
        <span data-truncates>{text}</span>
      </Anchor>
    </Truncated>
  )
}
