import { lazyPart } from '../../components/feedback/lazy-part'

export const RestoreGuide = lazyPart(async () => (await import('./restore-guide')).RestoreGuide, {
  name: 'restore',
  height: 320,
})

export const RestoreSteps = lazyPart(async () => (await import('./restore-steps')).RestoreSteps, {
  name: 'restore',
  height: 160,
})
