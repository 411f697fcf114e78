import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import { applyTheme } from './app/theme'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/layout.css'
import './styles/grid.css'
import './styles/plot.css'
import './styles/tests.css'
import './styles/scroll.css'

applyTheme()
createRoot(document.getElementById('root')!).render(<StrictMode><App /></StrictMode>)
