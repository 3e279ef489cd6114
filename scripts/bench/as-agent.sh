#!/bin/sh
# Stands in for an agent's program: runs $AGENT, whatever the arguments are.
exec $AGENT
