import { Anchor, Button, type AnchorProps, type ButtonProps } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

import classes from './links.module.css'

type PlainLinkProps = Omit<ComponentProps<'a'>, 'color' | 'style'>

function ButtonElement(props: ButtonProps & PlainLinkProps) {
  return <Button component="a" {...props} />
}

function AnchorElement(props: AnchorProps & PlainLinkProps) {
  // Within a sentence, a color alone does not show that it is a link.
  return <Anchor underline={props.inherit ? 'always' : 'hover'} {...props} />
}

function BackElement({ children, ...props }: AnchorProps & PlainLinkProps) {
  return (
    <Anchor {...props} className={classes.back}>
      <IconArrowLeft size={17} stroke={1.75} aria-hidden="true" />
      {children}
    </Anchor>
  )
}

/** A router link that looks like a button. */
export const ButtonLink = createLink(ButtonElement)

/** A router link; `inherit` within a sentence. */
export const TextLink = createLink(AnchorElement)

/** A router link above a page's title, to the list that the page belongs to. */
export const BackLink = createLink(BackElement)
