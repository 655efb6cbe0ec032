import { Text, Title } from '@mantine/core'

import type { Role } from '../../../shared/constants'
import { TextLink } from '../../components/layout/links'
import { HELP_ANSWERS } from './help-answers'

import classes from './help.module.css'

export const AnswerList = ({ role }: { role: Role }) => (
  <div className={classes.answers}>
    {HELP_ANSWERS[role].map(({ question, answer, link }) => (
      <section key={question}>
        <Title order={3}>{question}</Title>
        <Text c="dimmed">{answer}</Text>
        {link && <TextLink to={link.to}>{link.label}</TextLink>}
      </section>
    ))}
  </div>
)
