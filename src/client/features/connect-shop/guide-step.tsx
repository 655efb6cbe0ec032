import { NativeSelect, Stack, Text } from '@mantine/core'
import { IconHandClick } from '@tabler/icons-react'
import { useState } from 'react'

import { EmptyState } from '../../components/feedback/message-state'
import { CopyableCode } from '../../components/layout/copyable-code'
import { Panel } from '../../components/layout/panel'
import type { Shop } from '../../lib/shop-view'
import { GuidePicture } from './guide-picture'
import { writeGuide, type FileShape, type GuideStep as Step } from './guides'
import { MenuText } from './menu-text'
import { listScriptExamples } from './script-examples'
import { SHOP_LABELS } from './shops'
import type { FeedAddressCalls } from './use-feed-address'

import classes from './guide-step.module.css'

interface GuideStepProps {
  shop: Shop | undefined
  form: FileShape
  address: Pick<FeedAddressCalls, 'url' | 'maskedUrl' | 'fileName' | 'password' | 'hidden'>
}

/** Where the address is pasted in the shop, step by step. */
export function GuideStep({ shop, form, address }: GuideStepProps) {
  const hasName = shop !== undefined && shop !== 'script' && shop !== 'other'
  return (
    <Panel
      title="Where to paste it"
      description={hasName ? `In ${SHOP_LABELS[shop].name}, step by step` : 'Step by step'}
    >
      {shop ? (
        <Steps key={shop} shop={shop} form={form} address={address} />
      ) : (
        <EmptyState isCompact icon={IconHandClick} title="No shop chosen yet">
          Choose a shop or program above: its guide appears here.
        </EmptyState>
      )}
    </Panel>
  )
}

type StepsProps = GuideStepProps & { shop: Shop }

function Steps({ shop, form, address }: StepsProps) {
  const { url, fileName, password } = address
  const guide = writeGuide(shop, { url, fileName, form, password })
  return (
    <Stack gap="lg">
      <Text c="dimmed" textWrap="pretty">
        <MenuText text={guide.intro} />
      </Text>
      <div className={classes.guide}>
        <ol className={classes.steps}>
          {guide.steps.map((step) => (
            <li key={step.text} className={classes.step}>
              <GuidePicture scene={step.scene} />
              <p className={classes.text}>
                <MenuText text={step.text} />
              </p>
              <Pasted step={step} address={address} />
            </li>
          ))}
        </ol>
      </div>
    </Stack>
  )
}

const NONE = 'Create the address above: then this can be copied.'
const MASKED = {
  address:
    'The dots stand for the secret part, which was shown only once. If nobody has noted it, replace the address above: then this can be copied.',
  password:
    'The dots stand for the password, which was shown only once. If nobody has noted it, make a new one under Protection: then this can be copied.',
  both: 'The dots stand for the secret part and the password, each of which was shown only once. If nobody has noted them, replace the address and make a new password under Protection: then this can be copied.',
}

interface PastedProps {
  step: Step
  address: GuideStepProps['address']
}

/** What is pasted in a step: to copy while the address is known, masked afterwards. */
function Pasted({ step, address }: PastedProps) {
  const examples = listScriptExamples(address.url, address.password)
  const [program, setProgram] = useState(examples[0].program)
  const example = examples.find((one) => one.program === program) ?? examples[0]
  const code = step.hasExamples ? example.code : step.code
  if (code === undefined) return null
  return (
    <Stack gap={10} className={classes.pasted}>
      {step.hasExamples && (
        <>
          <NativeSelect
            label="Read it with"
            maw={260}
            data={examples.map((one) => one.program)}
            value={program}
            onChange={(event) => setProgram(event.currentTarget.value)}
          />
          <p className={classes.note}>{example.note}</p>
        </>
      )}
      {address.hidden === null ? (
        <CopyableCode code={code} label="what is to be pasted" />
      ) : (
        <>
          <pre className={classes.masked}>
            <code>{code}</code>
          </pre>
          <p className={classes.note}>{address.maskedUrl ? MASKED[address.hidden] : NONE}</p>
        </>
      )}
    </Stack>
  )
}
