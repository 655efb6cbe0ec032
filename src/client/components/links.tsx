import { Anchor, Button, type AnchorProps, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type PlainLinkProps = Omit<ComponentProps<'a'>, 'color' | 'style'>

function ButtonElement(props: ButtonProps & PlainLinkProps) {
  return <Button component="a" {...props} />
}

function AnchorElement(props: AnchorProps & PlainLinkProps) {
  return <Anchor {...props} />
}

/** A router link that looks like a button. */
export const ButtonLink = createLink(ButtonElement)

/** A router link in running text. */
export const TextLink = createLink(AnchorElement)
